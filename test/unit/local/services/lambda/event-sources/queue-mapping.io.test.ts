import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../../../local/function-hosts/protocol.ts';
import {
  type EventSourceMapping,
  type MappingOptions,
  startEventSourceMapping,
} from '../../../../../../local/services/lambda/event-sources/queue-mapping.ts';
import { sqsClient } from '../../../../../../local/services/sqs/api.ts';
import { type SqsServer, startSqsServer } from '../../../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../../../tools/support/free-port.ts';
import { until } from '../../../../../../tools/support/until.ts';

const QUEUE_ARN = 'arn:aws:sqs:us-east-1:000000000000:events';

let port: number;
let server: SqsServer;
let client: SQSClient;
let queues = 0;
const mappings: EventSourceMapping[] = [];

beforeAll(async () => {
  port = await freePorts();
  server = await startSqsServer(port);
  client = sqsClient(`http://127.0.0.1:${port}`);
});

afterEach(async () => {
  await Promise.all(mappings.splice(0).map((mapping) => mapping.stop()));
});

afterAll(async () => {
  client.destroy();
  await server.close();
});

async function createQueue(attributes: Record<string, string> = {}): Promise<string> {
  queues += 1;
  const { QueueUrl = '' } = await client.send(
    new CreateQueueCommand({ QueueName: `queue-${queues}`, Attributes: attributes }),
  );
  return QueueUrl;
}

async function sendBodies(QueueUrl: string, bodies: readonly string[]): Promise<void> {
  for (let start = 0; start < bodies.length; start += 10) {
    const Entries = bodies.slice(start, start + 10).map((body, index) => ({
      Id: String(index),
      MessageBody: body,
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
    }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
}

/** How many messages are visible and how many are being handled. */
async function counts(QueueUrl: string): Promise<[number, number]> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
  );
  return [
    Number(Attributes?.ApproximateNumberOfMessages),
    Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
  ];
}

type Handle = (event: SQSEvent) => unknown;

/** Maps the queue to a function and remembers the events that it gets. */
function map(queueUrl: string, handle: Handle, options: Partial<MappingOptions> = {}) {
  const events: SQSEvent[] = [];
  const troubles: string[] = [];
  const mapping = startEventSourceMapping({
    client,
    queueUrl,
    queueArn: QUEUE_ARN,
    batchSize: 10,
    windowSeconds: 0,
    reportsItemFailures: true,
    concurrency: 2,
    async invoke(event): Promise<Outcome> {
      const batch = event as SQSEvent;
      events.push(batch);
      try {
        return { kind: 'ok', value: await handle(batch) };
      } catch (error) {
        return { kind: 'error', error: { errorType: 'Error', errorMessage: String(error) } };
      }
    },
    onTrouble: (message) => troubles.push(message),
    ...options,
  });
  mappings.push(mapping);
  return { events, troubles, mapping };
}

const bodiesOf = (events: readonly SQSEvent[]): string[] =>
  events.flatMap(({ Records }) => Records.map(({ body }) => body)).sort();

describe('an event source mapping', () => {
  it('passes records to the function as Lambda makes them', async () => {
    const queueUrl = await createQueue();
    await sendBodies(queueUrl, ['hello']);
    const { events } = map(queueUrl, () => null);
    await until('the record is handed on', () => events.length === 1);
    expect(events).toEqual([
      {
        Records: [
          {
            messageId: expect.any(String),
            receiptHandle: expect.any(String),
            body: 'hello',
            attributes: {
              ApproximateReceiveCount: '1',
              SentTimestamp: expect.stringMatching(/^\d{13}$/),
              SenderId: expect.any(String),
              ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
            },
            messageAttributes: {
              kind: { stringValue: 'test', stringListValues: [], binaryListValues: [], dataType: 'String' },
            },
            md5OfBody: '5d41402abc4b2a76b9719d911017c592',
            md5OfMessageAttributes: expect.any(String),
            eventSource: 'aws:sqs',
            eventSourceARN: QUEUE_ARN,
            awsRegion: 'us-east-1',
          },
        ],
      },
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['an empty list', { batchItemFailures: [] }],
    ['null for a list', { batchItemFailures: null }],
  ])('deletes the whole batch when the function answers with %s', async (_, result) => {
    const queueUrl = await createQueue();
    await sendBodies(queueUrl, ['a', 'b', 'c']);
    map(queueUrl, () => result);
    await until('the queue is empty', async () => String(await counts(queueUrl)) === '0,0');
  });

  it('deletes processed messages and passes failed ones again after their visibility timeout', async () => {
    const queueUrl = await createQueue({ VisibilityTimeout: '540' });
    await sendBodies(queueUrl, ['good', 'bad', 'fine']);
    let receiptHandle = '';
    const { events } = map(queueUrl, ({ Records }) => {
      const failed = Records.find(
        ({ body, attributes }) => body === 'bad' && attributes.ApproximateReceiveCount === '1',
      );
      if (failed) receiptHandle = failed.receiptHandle;
      return { batchItemFailures: failed ? [{ itemIdentifier: failed.messageId }] : [] };
    });
    await until('the others are deleted', async () => {
      const [visible, hidden] = await counts(queueUrl);
      return bodiesOf(events).length === 3 && visible === 0 && hidden === 1;
    });
    const end = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: 0 };
    await client.send(new ChangeMessageVisibilityCommand(end));
    await until('the queue is empty', async () => String(await counts(queueUrl)) === '0,0');
    expect(bodiesOf(events)).toEqual(['bad', 'bad', 'fine', 'good']);
  });

  it('passes a failed message again after the visibility timeout that the function set', async () => {
    const queueUrl = await createQueue({ VisibilityTimeout: '540' });
    await sendBodies(queueUrl, ['good', 'parked', 'later']);
    const { events } = map(queueUrl, async ({ Records }) => {
      const again = Records.filter(
        ({ body, attributes }) => body !== 'good' && attributes.ApproximateReceiveCount === '1',
      );
      if (again.length === 0) return { batchItemFailures: [] };
      const Entries = again.map(({ body, receiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: body === 'parked' ? 2 : 540,
      }));
      await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
      return { batchItemFailures: again.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });
    await until('the other one alone is out of sight', async () => String(await counts(queueUrl)) === '0,1');
    expect(bodiesOf(events)).toEqual(['good', 'later', 'parked', 'parked']);
    const [, second] = events.flatMap(({ Records }) => Records.filter(({ body }) => body === 'parked'));
    expect(second?.attributes.ApproximateReceiveCount).toBe('2');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no'))],
    ['names an unknown message', () => ({ batchItemFailures: [{ itemIdentifier: 'missing' }] })],
    ['names a message with an empty id', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['names a message with null', () => ({ batchItemFailures: [{ itemIdentifier: null }] })],
    ['uses another key', () => ({ batchItemFailures: [{ messageId: 'x' }] })],
    ['answers with text', () => 'done'],
  ])('deletes nothing of a batch when the function %s', async (_, handle) => {
    const queueUrl = await createQueue({ VisibilityTimeout: '540' });
    await sendBodies(queueUrl, ['a', 'b']);
    const { events, mapping } = map(queueUrl, handle);
    await until('both were handed on', () => bodiesOf(events).length === 2);
    await mapping.stop();
    expect(await counts(queueUrl)).toEqual([0, 2]);
  });

  it('counts any answer as success without partial batch responses', async () => {
    const queueUrl = await createQueue();
    await sendBodies(queueUrl, ['a']);
    map(queueUrl, () => ({ batchItemFailures: [{ itemIdentifier: 'missing' }] }), {
      reportsItemFailures: false,
    });
    await until('the queue is empty', async () => String(await counts(queueUrl)) === '0,0');
  });

  it('moves a message that fails too often to the dead-letter queue', async () => {
    const deadLetters = await createQueue();
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
    );
    const queueUrl = await createQueue({
      VisibilityTimeout: '1',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: 2 }),
    });
    await sendBodies(queueUrl, ['poison']);
    const { events } = map(queueUrl, () => Promise.reject(new Error('no')));
    await until('it is a dead letter', async () => String(await counts(deadLetters)) === '1,0');
    expect(bodiesOf(events)).toEqual(['poison', 'poison']);
  });

  it('fills batches up to their size from one receive after the other', async () => {
    const queueUrl = await createQueue();
    const bodies = Array.from({ length: 50 }, (_, index) => String(index));
    await sendBodies(queueUrl, bodies);
    const { events } = map(queueUrl, () => null, { batchSize: 25, windowSeconds: 300 });
    await until('all were handed on', () => bodiesOf(events).length === 50);
    expect(events.map(({ Records }) => Records.length)).toEqual([25, 25]);
  });

  it('collects the messages of the window', async () => {
    const queueUrl = await createQueue();
    const { events } = map(queueUrl, () => null, { batchSize: 2, windowSeconds: 300 });
    await sendBodies(queueUrl, ['first']);
    await until('the first is taken', async () => String(await counts(queueUrl)) === '0,1');
    await sendBodies(queueUrl, ['second']);
    await until('all were handed on', () => bodiesOf(events).length === 2);
    expect(events).toHaveLength(1);
  });

  it('makes no event larger than 6 MB', async () => {
    const queueUrl = await createQueue();
    const large = 'x'.repeat(1_000_000);
    for (let index = 0; index < 8; index += 1) await sendBodies(queueUrl, [large]);
    const { events } = map(queueUrl, () => null, { batchSize: 100, windowSeconds: 1, concurrency: 1 });
    await until('all were handed on', () => bodiesOf(events).length === 8);
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThanOrEqual(6 * 1024 * 1024);
    await until('the queue is empty', async () => String(await counts(queueUrl)) === '0,0');
  });

  it('has at most the maximum number of concurrent batches', async () => {
    const queueUrl = await createQueue();
    await sendBodies(
      queueUrl,
      Array.from({ length: 12 }, (_, index) => String(index)),
    );
    let running = 0;
    let most = 0;
    const { events } = map(
      queueUrl,
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
      },
      { batchSize: 1, concurrency: 3 },
    );
    await until('all were handed on', () => events.length === 12);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('continues after an outage of the queue, with one note', async () => {
    const [ownPort, body] = [await freePorts(), 'after'];
    const own = sqsClient(`http://127.0.0.1:${ownPort}`);
    const queueUrl = `http://127.0.0.1:${ownPort}/000000000000/away`;
    const { events, troubles } = map(queueUrl, () => null, { client: own });
    await until('the trouble is reported', () => troubles.length === 1);
    const ownServer = await startSqsServer(ownPort);
    await own.send(new CreateQueueCommand({ QueueName: 'away' }));
    await own.send(
      new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [{ Id: '1', MessageBody: body }] }),
    );
    await until('the message is handed on', () => events.length === 1);
    expect(troubles).toHaveLength(1);
    await Promise.all(mappings.splice(0).map((mapping) => mapping.stop()));
    own.destroy();
    await ownServer.close();
  });
});
