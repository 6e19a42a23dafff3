import { expect, it } from 'vitest';
import { countWaiting } from '../../../cli/stores/dead-letter-queue.ts';
import { answer } from '../../unit/functions/base/sms-service/scripted-server.ts';
import { queueUrl, refused, startSqs } from '../../unit/functions/base/sqs-client.ts';

it('countWaiting adds the waiting, in-flight and delayed messages of a queue', async () => {
  const counts = {
    Attributes: {
      ApproximateNumberOfMessages: '12',
      ApproximateNumberOfMessagesNotVisible: '3',
      ApproximateNumberOfMessagesDelayed: '1',
    },
  };
  const { client, calls } = await startSqs(answer(200, counts));
  expect(await countWaiting(client, queueUrl)).toBe(16);
  expect(calls()).toMatchObject([{ call: 'AmazonSQS.GetQueueAttributes', input: { QueueUrl: queueUrl } }]);
});

it('countWaiting throws when SQS rejects the call', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(countWaiting(client, queueUrl)).rejects.toThrow();
});
