import { GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployStack, type ResourceTypes } from '../../../../../local/cloudformation/deploy-stack.ts';
import { parseTemplate } from '../../../../../local/cloudformation/template.ts';
import { eventSourceMappingCreator } from '../../../../../local/services/lambda/event-source-mappings.ts';
import type { EventSourceMapping } from '../../../../../local/services/lambda/event-sources/queue-mapping.ts';
import { FunctionRegistry } from '../../../../../local/services/lambda/functions.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { queueCreator } from '../../../../../local/services/sqs/resources.ts';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { until } from '../../../../../tools/support/until.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../../../support/local-lambda.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

const CODE = `exports.handler = async (event, context) => {
  console.log(JSON.stringify({
    bodies: event.Records.map(({ body }) => body),
    hasLong: context.getRemainingTimeInMillis() > 60_000,
  }));
  return { batchItemFailures: [] };
};`;

let server: SqsServer;
let client: SQSClient;
let url: string;
let hosted: LocalFunctionUnderTest;
const mappings: EventSourceMapping[] = [];

beforeAll(async () => {
  const port = await freePorts();
  url = `http://127.0.0.1:${port}`;
  server = await startSqsServer(port);
  client = sqsClient(url);
  hosted = hostFunction(CODE, { timeoutSeconds: 90 });
});

afterAll(async () => {
  await Promise.all(mappings.map((mapping) => mapping.stop()));
  await hosted.pool.stop();
  client.destroy();
  await server.close();
});

/** As CDK writes a queue of signals that feeds a slow function. */
const template = {
  Resources: {
    Signals: {
      Type: 'AWS::SQS::Queue',
      Properties: { MessageRetentionPeriod: 300, SqsManagedSseEnabled: true, VisibilityTimeout: 540 },
      UpdateReplacePolicy: 'Delete',
      DeletionPolicy: 'Delete',
    },
    SignalsPolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: { PolicyDocument: { Statement: [] }, Queues: [{ Ref: 'Signals' }] },
    },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 100,
        EventSourceArn: { 'Fn::GetAtt': ['Signals', 'Arn'] },
        FunctionName: ARN,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        MaximumBatchingWindowInSeconds: 1,
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Signals' } } },
};

it('a queue without dead letters feeds a function that may run for 90 seconds', async () => {
  const functions = new FunctionRegistry();
  functions.add({ definition: hosted.definition, arn: ARN, pool: hosted.pool });
  const notes: string[] = [];
  const parts = {
    functions,
    mappings,
    endpoints: { SQS: url },
    roles: { require: async () => {} },
    note: (line: string) => notes.push(line),
  };
  const types: ResourceTypes = {
    creator: (type) => (type === 'AWS::SQS::Queue' ? queueCreator(client) : eventSourceMappingCreator(parts)),
    isInert: (type) => type === 'AWS::SQS::QueuePolicy',
  };
  const stack = { name: 'Pipeline', template: parseTemplate(template), assets: new Map() };

  const { QueueUrl } = await deployStack(stack, types, new Map());

  const attributes = async () =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
  expect(await attributes()).toMatchObject({ VisibilityTimeout: '540', MessageRetentionPeriod: '300' });
  expect(await attributes()).not.toHaveProperty('RedrivePolicy');
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'signal' }));
  await until('the function received it', () => hosted.log() !== '');
  expect(JSON.parse(hosted.log())).toEqual({ bodies: ['signal'], hasLong: true });
  await until('it is done', async () => (await attributes())?.ApproximateNumberOfMessagesNotVisible === '0');
  expect(notes).toEqual([]);
});
