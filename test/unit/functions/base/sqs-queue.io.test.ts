import { CreateQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { deadlineAt } from '../../../../functions/base/basics.ts';
import {
  createMessageVisibility,
  createQueueDrain,
  createQueueSender,
} from '../../../../functions/base/sqs-queue.ts';
import { startSqsServer } from '../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { answer } from './sms-service/scripted-server.ts';
import { kept, queueUrl, refused, startSqs } from './sqs-client.ts';

const noLimit = deadlineAt(Number.POSITIVE_INFINITY, () => 0);
const empty = answer(200, {});
const batch = (...names: readonly string[]) =>
  answer(200, { Messages: names.map((name) => ({ Body: name, ReceiptHandle: `r-${name}` })) });
const denied = answer(403, { __type: 'AccessDeniedException', message: 'about a person' });
const done = answer(200, { Successful: [], Failed: [] });
const changes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ receiptHandle: `r${index}`, seconds: index }));

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
  const drain = createQueueDrain(client, QueueUrl);
  return { drain, visibility: createMessageVisibility(client, QueueUrl), bodies };
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

describe('a change of visibility', () => {
  it('makes a real queue redeliver messages', async () => {
    const { drain, visibility, bodies } = await startRealQueue(23);
    const { messages } = await drain.receive(20_000, noLimit);
    expect(messages).toHaveLength(23);
    const changed = messages.map(({ body, receiptHandle }) => ({
      receiptHandle,
      seconds: body === 'm7' ? 60 : 0,
    }));
    expect(await visibility.change(changed)).toEqual([]);
    const again = await drain.receive(20_000, noLimit);
    expect(again.messages.map(({ body }) => body).sort()).toEqual(
      bodies.filter((body) => body !== 'm7').sort(),
    );
  });

  it('is made for ten messages at a time, each with its own time', async () => {
    const { client, calls } = await startSqs(done);
    await createMessageVisibility(client, queueUrl).change(changes(21));
    const sizes = calls().map(({ input: { Entries } }) => (Array.isArray(Entries) ? Entries.length : 0));
    expect(sizes.sort()).toEqual([1, 10, 10]);
    expect(calls().flatMap(({ input: { Entries } }) => Entries)).toContainEqual({
      Id: '0',
      ReceiptHandle: 'r20',
      VisibilityTimeout: 20,
    });
    expect(calls()[0]).toMatchObject({
      call: 'AmazonSQS.ChangeMessageVisibilityBatch',
      input: { QueueUrl: queueUrl },
    });
  });
});

describe('a failed change of visibility', () => {
  it('is reported once for each kind of error, and the other changes are made', async () => {
    const failed = (Code: string) => ({ Id: '0', SenderFault: true, Code });
    const { client, calls } = await startSqs(
      answer(200, { Successful: [], Failed: [failed('ReceiptHandleIsInvalid')] }),
      answer(403, { __type: 'AccessDeniedException', message: 'about a person' }),
      answer(200, { Failed: [failed('ReceiptHandleIsInvalid')] }),
    );
    const failures = await createMessageVisibility(client, queueUrl).change(changes(30));
    expect([...failures].sort()).toEqual(['AccessDeniedException', 'ReceiptHandleIsInvalid']);
    expect(calls()).toHaveLength(3);
  });

  it('is reported when the deadline has passed', async () => {
    const { client, calls } = await startSqs(done);
    let now = 0;
    const deadline = deadlineAt(2, () => ++now);
    const failures = await createMessageVisibility(client, queueUrl).change(changes(30), deadline);
    expect(failures).toEqual(['OutOfTime']);
    expect(calls()).toHaveLength(1);
  });
});

it('a queue sender sends the body unchanged, and resolves once SQS has confirmed it', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createQueueSender(client, queueUrl).send('{"no": "event"');
  expect(calls()).toEqual([
    { call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl, MessageBody: '{"no": "event"' } },
  ]);
});

it('a queue sender sends the trace that Lambda made for the invocation, so that X-Ray connects the reader of the queue', async () => {
  const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'ingest');
  vi.stubEnv('_X_AMZN_TRACE_ID', trace);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { client, traces } = await startSqs(answer(200, kept));
  await createQueueSender(client, queueUrl).send('body');
  expect(traces()).toEqual([trace]);
});

it('a queue sender throws when SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createQueueSender(client, queueUrl).send('body')).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
