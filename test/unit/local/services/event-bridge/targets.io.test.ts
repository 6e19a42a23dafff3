import { CreateTopicCommand, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SqsServer, startSqsServer } from '../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { createEventBridge, type EventBridgeUnderTest } from './event-bridge-under-test.ts';

let server: SqsServer;
let sqsUrl: string;
let under: EventBridgeUnderTest;

beforeAll(async () => {
  const port = await freePorts();
  server = await startSqsServer(port);
  sqsUrl = `http://127.0.0.1:${port}`;
  under = await createEventBridge(sqsUrl);
});

afterAll(async () => {
  under.sqs.destroy();
  under.sns.destroy();
  await server.close();
});

/** @returns the queue's ARN */
async function createQueue(QueueName: string, Attributes: Record<string, string> = {}): Promise<string> {
  await under.sqs.send(new CreateQueueCommand({ QueueName, Attributes }));
  return `arn:aws:sqs:us-east-1:000000000000:${QueueName}`;
}

/** Waits for a message of a queue. */
async function messageOf(queueArn: string): Promise<Message | undefined> {
  const QueueUrl = `${sqsUrl}/000000000000/${queueArn.split(':').at(-1)}`;
  const receive = { QueueUrl, WaitTimeSeconds: 20, MessageAttributeNames: ['All'] };
  const { Messages } = await under.sqs.send(new ReceiveMessageCommand(receive));
  return Messages?.[0];
}

const createRule = (Name: string, type: string, target: object) =>
  under.createRule(Name, {
    Name,
    EventBusName: 'sms',
    EventPattern: { 'detail-type': [type] },
    Targets: [{ Id: 'Target0', ...target }],
  });

it('a rule sends events to a topic, also with emoji', async () => {
  const Endpoint = await createQueue('subscriber');
  const { TopicArn } = await under.sns.send(new CreateTopicCommand({ Name: 'notices' }));
  const Attributes = { RawMessageDelivery: 'true' };
  await under.sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }));
  await createRule('to-topic', 'Noticed', { Arn: TopicArn });
  await under.put('Noticed', { text: 'thanks 👍' });
  expect(JSON.parse((await messageOf(Endpoint))?.Body ?? '')).toMatchObject({
    detail: { text: 'thanks 👍' },
  });
});

it('a rule sends events to a FIFO queue, in its group, also with emoji', async () => {
  const Arn = await createQueue('jobs.fifo', { FifoQueue: 'true', ContentBasedDeduplication: 'true' });
  await createRule('to-jobs', 'Ordered', { Arn, SqsParameters: { MessageGroupId: 'replies' } });
  await under.put('Ordered', { text: 'thanks 👍' });
  expect(JSON.parse((await messageOf(Arn))?.Body ?? '')).toMatchObject({ detail: { text: 'thanks 👍' } });
});

it('an event whose target is gone goes to the dead-letter queue at once', async () => {
  const deadLetters = await createQueue('dead-letters');
  const Arn = 'arn:aws:sqs:us-east-1:000000000000:gone';
  await createRule('to-nowhere', 'Lost', { Arn, Input: '1', DeadLetterConfig: { Arn: deadLetters } });
  const id = await under.put('Lost', { n: 4 });
  const message = await messageOf(deadLetters);
  expect(JSON.parse(message?.Body ?? '')).toMatchObject({ id, detail: { n: 4 } });
  expect(message?.MessageAttributes).toMatchObject({
    RULE_ARN: { StringValue: 'arn:aws:events:us-east-1:000000000000:rule/sms/to-nowhere' },
    TARGET_ARN: { StringValue: Arn },
    ERROR_CODE: { StringValue: 'NO_RESOURCE' },
    ERROR_MESSAGE: { StringValue: expect.any(String) },
    RETRY_ATTEMPTS: { StringValue: '0' },
  });
  expect(under.clock.slept).toEqual([]);
});
