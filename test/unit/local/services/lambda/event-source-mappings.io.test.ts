import { GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deployStack, type ResourceTypes } from '../../../../../local/cloudformation/deploy-stack.ts';
import { eventSourceMappingCreator } from '../../../../../local/services/lambda/event-source-mappings.ts';
import type { EventSourceMapping } from '../../../../../local/services/lambda/event-sources/queue-mapping.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { queueCreator } from '../../../../../local/services/sqs/resources.ts';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { until } from '../../../../../tools/support/until.ts';
import { inMemoryFunction, registryOf } from '../../../../support/local-lambda.ts';
import { stackOf } from '../../../../support/resource-request.ts';

const target = inMemoryFunction(() => ({ batchItemFailures: [] }));
let server: SqsServer;
let client: SQSClient;
let url: string;
const mappings: EventSourceMapping[] = [];

beforeAll(async () => {
  const port = await freePorts();
  url = `http://127.0.0.1:${port}`;
  server = await startSqsServer(port);
  client = sqsClient(url);
});

afterAll(async () => {
  await Promise.all(mappings.map((mapping) => mapping.stop()));
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
        FunctionName: target.arn,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: 2 },
      },
    },
  },
  Outputs: { QueueUrl: { Value: { Ref: 'Signals' } } },
};

it('a queue without dead letters feeds a function in batches', async () => {
  const functions = registryOf(target);
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

  const { QueueUrl } = await deployStack(stackOf(template), types, new Map());

  const attributes = async () =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }))).Attributes;
  expect(await attributes()).toMatchObject({ VisibilityTimeout: '540', MessageRetentionPeriod: '300' });
  expect(await attributes()).not.toHaveProperty('RedrivePolicy');
  await client.send(new SendMessageCommand({ QueueUrl, MessageBody: 'signal' }));
  await until('the function received it', () => target.events.length > 0);
  expect(target.events).toMatchObject([{ Records: [{ body: 'signal' }] }]);
  await until('it is done', async () => (await attributes())?.ApproximateNumberOfMessagesNotVisible === '0');
  expect(notes).toEqual([]);
});
