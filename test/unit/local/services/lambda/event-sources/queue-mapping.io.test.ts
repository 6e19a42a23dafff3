import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
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
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody }));
  await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
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

  it('deletes nothing of a batch when the function throws', async () => {
    const queueUrl = await createQueue({ VisibilityTimeout: '540' });
    await sendBodies(queueUrl, ['a', 'b']);
    const { events, mapping } = map(queueUrl, () => Promise.reject(new Error('no')));
    await until('both were handed on', () => bodiesOf(events).length === 2);
    await mapping.stop();
    expect(await counts(queueUrl)).toEqual([0, 2]);
  });

  it('has at most the maximum number of concurrent batches', async () => {
    const queueUrl = await createQueue();
    await sendBodies(
      queueUrl,
      Array.from({ length: 10 }, (_, index) => String(index)),
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
    await until('all were handed on', () => events.length === 10);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('continues after an outage of the queue, with one note', async () => {
    const ownPort = await freePorts();
    const own = sqsClient(`http://127.0.0.1:${ownPort}`);
    const queueUrl = `http://127.0.0.1:${ownPort}/000000000000/away`;
    const { events, troubles } = map(queueUrl, () => null, { client: own });
    await until('the trouble is reported', () => troubles.length === 1);
    const ownServer = await startSqsServer(ownPort);
    await own.send(new CreateQueueCommand({ QueueName: 'away' }));
    await own.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'after' }));
    await until('the message is handed on', () => events.length === 1);
    expect(troubles).toHaveLength(1);
    await Promise.all(mappings.splice(0).map((mapping) => mapping.stop()));
    own.destroy();
    await ownServer.close();
  });
});
