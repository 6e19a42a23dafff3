import { expect, it } from 'vitest';
import { countWaiting } from '../../../cli/stores/dead-letter-queue.ts';
import { queueUrl, refused, startSqs } from '../../unit/functions/aws/sqs-client.ts';
import { answer } from '../../unit/functions/sms-service/scripted-server.ts';

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
