import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueueDrain } from '../../../../functions/aws/queue-messages.ts';
import { startSqsServer } from '../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { queueUrl, startSqs } from './sqs-client.ts';

const always = () => true;
const empty = answer(200, {});
const batch = (...names: readonly string[]) =>
  answer(200, { Messages: names.map((name) => ({ Body: name, ReceiptHandle: `r-${name}` })) });
const denied = answer(403, { __type: 'AccessDeniedException', message: 'about somebody' });

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
  it('takes all that a real queue holds, and deletes what it is told to', async () => {
    const { drain, bodies } = await startRealQueue(123);
    const { messages, ended, failures } = await drain.receive(20_000, always);
    expect([ended, failures]).toEqual(['empty', []]);
    expect(messages.map(({ body }) => body).sort()).toEqual([...bodies].sort());
    const receiptHandles = messages.map(({ receiptHandle }) => receiptHandle);
    expect(await drain.delete(receiptHandles, always)).toEqual([]);
    expect((await drain.receive(20_000, always)).messages).toEqual([]);
  });

  it('takes about as many as allowed, and leaves the rest', async () => {
    const { drain } = await startRealQueue(200);
    const { messages, ended } = await drain.receive(50, always);
    expect(ended).toBe('most');
    expect(messages.length).toBeGreaterThanOrEqual(50);
    expect(messages.length).toBeLessThanOrEqual(90);
    const rest = await drain.receive(20_000, always);
    expect(messages.length + rest.messages.length).toBe(200);
  });

  it('asks ten at a time without waiting, and does not believe the first empty answer', async () => {
    const { client, calls } = await startSqs(empty, empty, empty, batch('a'), empty);
    const { messages, ended } = await createQueueDrain(client, queueUrl).receive(20_000, always);
    expect(messages).toEqual([{ body: 'a', receiptHandle: 'r-a' }]);
    expect(ended).toBe('empty');
    expect(calls()[0]).toEqual({
      call: 'AmazonSQS.ReceiveMessage',
      input: { QueueUrl: queueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 },
    });
  });

  it('stops when time is up, with what it has', async () => {
    const { client } = await startSqs(batch('a'));
    let asked = 0;
    const drained = await createQueueDrain(client, queueUrl).receive(20_000, () => {
      asked += 1;
      return asked <= 7;
    });
    expect(drained).toMatchObject({ ended: 'time', failures: [] });
    expect(drained.messages).toHaveLength(7);
  });

  it('keeps what it has where calls fail, and names the failure once', async () => {
    const { client } = await startSqs(batch('a'), batch('b'), denied);
    const { messages, failures } = await createQueueDrain(client, queueUrl).receive(20_000, always);
    expect(messages.map(({ body }) => body).sort()).toEqual(['a', 'b']);
    expect(failures).toEqual(['AccessDeniedException']);
  });
});

describe('deleting', () => {
  const handles = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
  const done = answer(200, { Successful: [], Failed: [] });

  it('takes ten at a time', async () => {
    const { client, calls } = await startSqs(done);
    await createQueueDrain(client, queueUrl).delete(handles(21), always);
    const sizes = calls().map(({ input: { Entries } }) => (Array.isArray(Entries) ? Entries.length : 0));
    expect(sizes.sort()).toEqual([1, 10, 10]);
    expect(calls()[0]?.call).toBe('AmazonSQS.DeleteMessageBatch');
    const entries = calls().flatMap(({ input: { Entries } }) => Entries);
    expect(entries).toContainEqual({ Id: '0', ReceiptHandle: 'r20' });
  });

  it('names what failed, each kind once, and goes on', async () => {
    const failed = { Id: '0', SenderFault: false, Code: 'InternalError' };
    const { client, calls } = await startSqs(answer(200, { Failed: [failed, failed] }), denied, done);
    const failures = await createQueueDrain(client, queueUrl).delete(handles(30), always);
    expect([...failures].sort()).toEqual(['AccessDeniedException', 'InternalError']);
    expect(calls()).toHaveLength(3);
  });

  it('says what there was no time for', async () => {
    const { client, calls } = await startSqs(done);
    expect(await createQueueDrain(client, queueUrl).delete(handles(1), () => false)).toEqual(['OutOfTime']);
    expect(calls()).toEqual([]);
  });
});
