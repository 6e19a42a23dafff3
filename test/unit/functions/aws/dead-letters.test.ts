import { expect, it } from 'vitest';
import { createDeadLetters } from '../../../../functions/aws/queue-messages.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { kept, queueUrl, refused, startSqs } from './sqs-client.ts';

it('sends the body as it is, and resolves once SQS has confirmed it', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createDeadLetters(client, queueUrl).send('{"no": "event"');
  expect(calls()).toEqual([
    { call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl, MessageBody: '{"no": "event"' } },
  ]);
});

it('throws where SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createDeadLetters(client, queueUrl).send('body')).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
