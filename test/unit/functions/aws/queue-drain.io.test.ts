import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueueDrain } from '../../../../functions/aws/sqs-queue.ts';
import { deadlineAt } from '../../../../functions/runtime/basics.ts';
import { startSqsServer } from '../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { queueUrl, startSqs } from './sqs-client.ts';

const noLimit = deadlineAt(Number.POSITIVE_INFINITY, () => 0);
const empty = answer(200, {});
const batch = (...names: readonly string[]) =>
  answer(200, { Messages: names.map((name) => ({ Body: name, ReceiptHandle: `r-${name}` })) });
const denied = answer(403, { __type: 'AccessDeniedException', message: 'about a person' });

async function startRealQueue(count: number) {
  const port = await freePorts();
  const server = await startSqsServer(port);
  const client = new SQSClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  });
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  const { QueueUrl = '' } = await client.send(
    new CreateQueueCommand({ QueueName: 'failures', Attributes: { VisibilityTimeout: '600' } }),
  );
  const bodies = Array.from({ length: count }, (_, index) => `m${index}`);
  for (let first = 0; first < count; first += 10) {
    const Entries = bodies.slice(first, first + 10).map((body) => ({ Id: body, MessageBody: body }));
    await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  return { drain: createQueueDrain(client, QueueUrl), bodies };
}

describe('draining a queue', () => {
  it('receives all messages of a real queue, and deletes the ones passed to it', async () => {
    const { drain, bodies } = await startRealQueue(123);
    const { messages, ended, failures } = await drain.receive(20_000, noLimit);
    expect([ended, failures]).toEqual(['empty', []]);
    expect(messages.map(({ body }) => body).sort()).toEqual([...bodies].sort());
    const receiptHandles = messages.map(({ receiptHandle }) => receiptHandle);
    expect(await drain.delete(receiptHandles)).toEqual([]);
    expect((await drain.receive(20_000, noLimit)).messages).toEqual([]);
  });

  it('receives about as many messages as the limit allows, and leaves the rest', async () => {
    const { drain } = await startRealQueue(200);
    const { messages, ended } = await drain.receive(50, noLimit);
    expect(ended).toBe('limit');
    expect(messages.length).toBeGreaterThanOrEqual(50);
    expect(messages.length).toBeLessThanOrEqual(90);
    const rest = await drain.receive(20_000, noLimit);
    expect(messages.length + rest.messages.length).toBe(200);
  });

  it('receives ten at a time without waiting, and continues after the first empty answer', async () => {
    const { client, calls } = await startSqs(empty, empty, empty, batch('a'), empty);
    const { messages, ended } = await createQueueDrain(client, queueUrl).receive(20_000, noLimit);
    expect(messages).toEqual([{ body: 'a', receiptHandle: 'r-a' }]);
    expect(ended).toBe('empty');
    expect(calls()[0]).toEqual({
      call: 'AmazonSQS.ReceiveMessage',
      input: { QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 },
    });
  });

  it('stops at the deadline, with the messages it has', async () => {
    const { client } = await startSqs(batch('a'));
    let now = 0;
    const deadline = deadlineAt(8, () => ++now);
    const drained = await createQueueDrain(client, queueUrl).receive(20_000, deadline);
    expect(drained).toMatchObject({ ended: 'time', failures: [] });
    expect(drained.messages).toHaveLength(7);
  });

  it('keeps the messages it has when calls fail, and names the failure once', async () => {
    const { client } = await startSqs(batch('a'), batch('b'), denied);
    const { messages, failures } = await createQueueDrain(client, queueUrl).receive(20_000, noLimit);
    expect(messages.map(({ body }) => body).sort()).toEqual(['a', 'b']);
    expect(failures).toEqual(['AccessDeniedException']);
  });
});

describe('deleting drained messages', () => {
  const handles = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
  const done = answer(200, { Successful: [], Failed: [] });

  it('deletes ten at a time', async () => {
    const { client, calls } = await startSqs(done);
    await createQueueDrain(client, queueUrl).delete(handles(21));
    const sizes = calls().map(({ input: { Entries } }) => (Array.isArray(Entries) ? Entries.length : 0));
    expect(sizes.sort()).toEqual([1, 10, 10]);
    expect(calls()[0]?.call).toBe('AmazonSQS.DeleteMessageBatch');
    const entries = calls().flatMap(({ input: { Entries } }) => Entries);
    expect(entries).toContainEqual({ Id: '0', ReceiptHandle: 'r20' });
  });

  it('names each kind of failure once, and continues', async () => {
    const failed = { Id: '0', SenderFault: false, Code: 'InternalError' };
    const { client, calls } = await startSqs(answer(200, { Failed: [failed, failed] }), denied, done);
    const failures = await createQueueDrain(client, queueUrl).delete(handles(30));
    expect([...failures].sort()).toEqual(['AccessDeniedException', 'InternalError']);
    expect(calls()).toHaveLength(3);
  });

  it('reports that the deadline had passed', async () => {
    const { client, calls } = await startSqs(done);
    expect(
      await createQueueDrain(client, queueUrl).delete(
        handles(1),
        deadlineAt(0, () => 0),
      ),
    ).toEqual(['OutOfTime']);
    expect(calls()).toEqual([]);
  });
});
