import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { createDeadLetterQueue, type DeadLetter } from '../../../../cli/stores/dead-letter-queue.ts';
import { answering, anyAccount } from '../support/aws.ts';

const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/queue';
const destination = `${queueUrl}-source`;
const sentMs = Date.parse('2026-01-15T12:00:00.000Z');
const batch = (...names: readonly string[]) => ({
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
const refused = Object.assign(new Error('about the message'), { name: 'InvalidMessageContents' });

/** A queue whose SQS gives these answers, and what that was asked. */
function queueWith(...answers: readonly (object | Error)[]) {
  const asked: [string, object][] = [];
  const client = answering(new SQSClient({ ...anyAccount, md5: false }), (command, input) => {
    const answer = answers[asked.length] ?? {};
    asked.push([command, input]);
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { asked, queue: createDeadLetterQueue(client, queueUrl) };
}

it('counts waiting messages, and those that another consumer has received', async () => {
  const Attributes = { ApproximateNumberOfMessages: '2', ApproximateNumberOfMessagesNotVisible: '1' };
  expect(await queueWith({ Attributes }).queue.count()).toEqual({ waiting: 2, inFlight: 1 });
});

it('receives messages up to the maximum, and hides them for longer than a round takes', async () => {
  const { queue, asked } = queueWith(batch('a', 'b'), batch('c'));
  expect(await queue.receive(3)).toEqual(['a', 'b', 'c'].map(letter));
  expect(asked.map(([, input]) => input)).toMatchObject([
    { MaxNumberOfMessages: 3, VisibilityTimeout: 120, WaitTimeSeconds: 1 },
    { MaxNumberOfMessages: 1 },
  ]);
});

it.each([
  ['when the queue is empty', 5, {}],
  ['when another receive failed', 20, refused],
  ['when the next receive failed', 5, refused],
])('returns received messages %s', async (_, max, next) => {
  expect(await queueWith(batch('a'), next, batch('b')).queue.receive(max)).toEqual([letter('a')]);
});

it('throws when all receives failed', async () => {
  await expect(queueWith(refused, refused).queue.receive(20)).rejects.toBe(refused);
});

it('deletes nothing before the other queue has confirmed', async () => {
  const { queue, asked } = queueWith({ MessageId: '1' });
  const outcome = await queue.move([letter('a')], destination);
  expect(outcome).toEqual({ sent: 1, failure: undefined, deleteErrors: [] });
  expect(asked).toMatchObject([
    ['SendMessageCommand', { QueueUrl: destination, MessageBody: 'body a' }],
    ['DeleteMessageBatchCommand', { QueueUrl: queueUrl, Entries: [{ ReceiptHandle: 'r-a' }] }],
  ]);
});

it('releases messages that the other queue rejects, and deletes none of them', async () => {
  const { queue, asked } = queueWith(refused);
  const outcome = await queue.move([letter('a')], destination);
  expect(outcome).toEqual({ sent: 0, failure: refused, deleteErrors: [] });
  expect(asked.slice(1)).toMatchObject([
    [
      'ChangeMessageVisibilityBatchCommand',
      { QueueUrl: queueUrl, Entries: [{ ReceiptHandle: 'r-a', VisibilityTimeout: 0 }] },
    ],
  ]);
});

it('reports messages that were sent and could not be deleted', async () => {
  const failed = { Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }], Successful: [] };
  const { queue } = queueWith({ MessageId: '1' }, failed);
  const outcome = await queue.move([letter('a')], destination);
  expect(outcome).toEqual({ sent: 1, failure: undefined, deleteErrors: ['InternalError'] });
});
