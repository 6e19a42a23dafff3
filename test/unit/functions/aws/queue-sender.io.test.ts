import { expect, it } from 'vitest';
import { createQueueSender } from '../../../../functions/aws/sqs-queue.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { kept, queueUrl, refused, startSqs } from './sqs-client.ts';

it('a queue sender sends the body unchanged, and resolves once SQS has confirmed it', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createQueueSender(client, queueUrl).send('{"no": "event"');
  expect(calls()).toEqual([
    { call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl, MessageBody: '{"no": "event"' } },
  ]);
});

it('a queue sender throws when SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createQueueSender(client, queueUrl).send('body')).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
