import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';
import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CreateResource, deployStack } from '../../../../../local/cloudformation/deploy-stack.ts';
import { snsClient, subscriptionCreator, topicCreator } from '../../../../../local/services/sns/resources.ts';
import { sqsClient } from '../../../../../local/services/sqs/api.ts';
import { queueCreator } from '../../../../../local/services/sqs/resources.ts';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { stackOf } from '../../../../support/resource-request.ts';

// A real server, on a machine that may be busy.
let server: SqsServer;
let sqs: SQSClient;
let sns: SNSClient;

beforeAll(async () => {
  const port = await freePorts();
  server = await startSqsServer(port);
  sqs = sqsClient(`http://127.0.0.1:${port}`);
  sns = snsClient(`http://127.0.0.1:${port}`);
});

afterAll(async () => {
  sqs.destroy();
  sns.destroy();
  await server.close();
});

function deploy(name: string, topic: object, subscription: object, notes: string[] = []) {
  const creators: Record<string, CreateResource> = {
    'AWS::SNS::Topic': topicCreator(sns),
    'AWS::SNS::Subscription': subscriptionCreator(sns),
    'AWS::SQS::Queue': queueCreator(sqs),
  };
  const template = {
    Resources: {
      Notices: { Type: 'AWS::SNS::Topic', Properties: topic },
      Inbox: { Type: 'AWS::SQS::Queue' },
      Subscription: {
        Type: 'AWS::SNS::Subscription',
        Properties: {
          TopicArn: { Ref: 'Notices' },
          Protocol: 'sqs',
          Endpoint: { 'Fn::GetAtt': ['Inbox', 'Arn'] },
          ...subscription,
        },
      },
    },
    Outputs: {
      TopicArn: { Value: { Ref: 'Notices' } },
      TopicName: { Value: { 'Fn::GetAtt': ['Notices', 'TopicName'] } },
      QueueUrl: { Value: { Ref: 'Inbox' } },
    },
  };
  const types = {
    creator: (type: string) => creators[type],
    isInert: () => false,
    note: (line: string) => void notes.push(line),
  };
  return deployStack(stackOf(template, name), types, new Map());
}

it('a topic passes published messages to the subscribed queue', async () => {
  const { TopicArn, TopicName, QueueUrl } = await deploy('Automations', {}, { RawMessageDelivery: true });
  expect(TopicArn).toBe(`arn:aws:sns:us-east-1:000000000000:${TopicName}`);
  await sns.send(new PublishCommand({ TopicArn, Message: 'a notice', Subject: 'subject' }));
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5 }));
  expect(Messages).toMatchObject([{ Body: 'a notice' }]);
});

it.each([
  [{ FifoTopic: true }, {}, 'FifoTopic has no effect on one machine'],
  [
    {},
    { Protocol: 'email', Endpoint: 'x' },
    'skipped: one machine has no subscription by email, only by sqs',
  ],
])(
  'a line names what one machine lacks of a topic %j with a subscription %j',
  async (topic, subscription, line) => {
    const notes: string[] = [];
    await deploy('Lacking', topic, subscription, notes);
    expect(notes).toEqual([expect.stringContaining(line)]);
  },
);
