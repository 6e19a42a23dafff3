import {
  CreateQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMessageVisibility } from '../../../../functions/aws/sqs-queue.ts';
import { deadlineAt } from '../../../../functions/runtime/basics.ts';
import { startSqsServer } from '../../../../local/services/sqs/sqs-server.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { queueUrl, startSqs } from './sqs-client.ts';

const changes = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ receiptHandle: `r${index}`, seconds: index }));
const done = answer(200, { Successful: [], Failed: [] });

describe('a change of visibility', () => {
  it('makes a real queue redeliver messages', async () => {
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
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: 'parked' }));
    const bodies = Array.from({ length: 23 }, (_, index) => `m${index}`);
    for (const MessageBody of bodies) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    const receiveAll = async () => {
      const received: { body: string; receiptHandle: string }[] = [];
      for (;;) {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        if (Messages.length === 0) return received;
        for (const { Body: body = '', ReceiptHandle: receiptHandle = '' } of Messages)
          received.push({ body, receiptHandle });
      }
    };
    const first = await receiveAll();
    expect(first).toHaveLength(23);
    const changed = first.map(({ body, receiptHandle }) => ({
      receiptHandle,
      seconds: body === 'm7' ? 60 : 0,
    }));
    expect(await createMessageVisibility(client, QueueUrl).change(changed)).toEqual([]);
    const again = (await receiveAll()).map(({ body }) => body).sort();
    expect(again).toEqual(bodies.filter((body) => body !== 'm7').sort());
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

  it('of no messages makes no call', async () => {
    const { client, calls } = await startSqs(done);
    expect(await createMessageVisibility(client, queueUrl).change([])).toEqual([]);
    expect(calls()).toEqual([]);
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

  it('is reported as unknown when the thrown value is not an Error', async () => {
    const client = new SQSClient({ region: 'us-east-1' });
    client.middlewareStack.add(() => () => Promise.reject('a text'), { step: 'initialize' });
    expect(await createMessageVisibility(client, queueUrl).change(changes(1))).toEqual(['unknown']);
  });
});
