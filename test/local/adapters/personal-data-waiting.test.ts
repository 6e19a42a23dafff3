import { expect, it } from 'vitest';
import { countWaiting } from '../../../functions/adapters/personal-data-waiting.ts';
import { queueUrl, refused, startSqs } from '../../unit/adapters/sqs-client.ts';

it('counts what waits, what is being worked on, and what is delayed', async () => {
  const answer = {
    Attributes: {
      ApproximateNumberOfMessages: '12',
      ApproximateNumberOfMessagesNotVisible: '3',
      ApproximateNumberOfMessagesDelayed: '1',
    },
  };
  const { client, calls } = await startSqs({ status: 200, body: answer });
  expect(await countWaiting(client, queueUrl)).toBe(16);
  expect(calls()).toMatchObject([{ call: 'AmazonSQS.GetQueueAttributes', input: { QueueUrl: queueUrl } }]);
});

it('does not take a refusal for an empty queue', async () => {
  const { client } = await startSqs({ status: 400, body: refused });
  await expect(countWaiting(client, queueUrl)).rejects.toThrow();
});
