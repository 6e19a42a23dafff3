import { expect, it } from 'vitest';
import { createDeadLetterQueue, type DeadLetter } from '../../../../cli/stores/dead-letter-queue.ts';
import { kept, queueUrl, refused, startSqs } from '../../functions/aws/sqs-client.ts';
import { answer } from '../../functions/sms-service/scripted-server.ts';

const destination = `${queueUrl}-source`;
const sentMs = Date.parse('2026-01-15T12:00:00.000Z');
const batch = (...names: readonly string[]) =>
  answer(200, {
    Messages: names.map((name) => ({
      MessageId: name,
      Body: `body ${name}`,
      ReceiptHandle: `r-${name}`,
      Attributes: { SentTimestamp: String(sentMs), ApproximateReceiveCount: '3' },
    })),
  });
const letter = (name: string): DeadLetter => ({
  messageId: name,
  body: `body ${name}`,
  sentAt: '2026-01-15T12:00:00.000Z',
  receiveCount: 3,
  receiptHandle: `r-${name}`,
});
const done = answer(200, {});

it('counts waiting messages, and those that another consumer has received', async () => {
  const Attributes = { ApproximateNumberOfMessages: '2', ApproximateNumberOfMessagesNotVisible: '1' };
  const { client } = await startSqs(answer(200, { Attributes }));
  expect(await createDeadLetterQueue(client, queueUrl).count()).toEqual({ waiting: 2, inFlight: 1 });
});

it('receives messages up to the maximum, and hides them for longer than a round takes', async () => {
  const { client, calls } = await startSqs(batch('a', 'b'), batch('c'));
  expect(await createDeadLetterQueue(client, queueUrl).receive(3)).toEqual(['a', 'b', 'c'].map(letter));
  expect(calls().map(({ input }) => input)).toMatchObject([
    { MaxNumberOfMessages: 3, VisibilityTimeout: 120, WaitTimeSeconds: 1 },
    { MaxNumberOfMessages: 1 },
  ]);
});

it('stops receiving when the queue is empty', async () => {
  const { client } = await startSqs(batch('a'), done);
  expect(await createDeadLetterQueue(client, queueUrl).receive(5)).toEqual([letter('a')]);
});

it('returns received messages when another receive failed, and throws when all did', async () => {
  const { client } = await startSqs(batch('a'), answer(400, refused));
  expect(await createDeadLetterQueue(client, queueUrl).receive(20)).toEqual([letter('a')]);
  const later = await startSqs(batch('a'), answer(400, refused));
  expect(await createDeadLetterQueue(later.client, queueUrl).receive(5)).toEqual([letter('a')]);
  const down = await startSqs(answer(400, refused), answer(400, refused));
  await expect(createDeadLetterQueue(down.client, queueUrl).receive(20)).rejects.toThrow(
    expect.objectContaining({ name: 'InvalidMessageContents' }),
  );
});

it('deletes nothing before the other queue has confirmed', async () => {
  const { client, calls } = await startSqs(answer(200, kept), done);
  const outcome = await createDeadLetterQueue(client, queueUrl).move([letter('a')], destination);
  expect(outcome).toEqual({ sent: 1, failure: undefined, deleteErrors: [] });
  expect(calls()).toMatchObject([
    { call: 'AmazonSQS.SendMessage', input: { QueueUrl: destination, MessageBody: 'body a' } },
    {
      call: 'AmazonSQS.DeleteMessageBatch',
      input: { QueueUrl: queueUrl, Entries: [{ ReceiptHandle: 'r-a' }] },
    },
  ]);
});

it('releases messages that the other queue rejects, and deletes none of them', async () => {
  const { client, calls } = await startSqs(answer(400, refused), done);
  const outcome = await createDeadLetterQueue(client, queueUrl).move([letter('a')], destination);
  expect(outcome).toMatchObject({ sent: 0, failure: { name: 'InvalidMessageContents' }, deleteErrors: [] });
  expect(calls().slice(1)).toMatchObject([
    {
      call: 'AmazonSQS.ChangeMessageVisibilityBatch',
      input: { QueueUrl: queueUrl, Entries: [{ ReceiptHandle: 'r-a', VisibilityTimeout: 0 }] },
    },
  ]);
});

it('reports messages that were sent and could not be deleted', async () => {
  const failed = { Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }], Successful: [] };
  const { client } = await startSqs(answer(200, kept), answer(200, failed));
  expect(await createDeadLetterQueue(client, queueUrl).move([letter('a')], destination)).toEqual({
    sent: 1,
    failure: undefined,
    deleteErrors: ['InternalError'],
  });
});
