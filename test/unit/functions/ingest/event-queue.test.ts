import { expect, it } from 'vitest';
import { createEventQueue } from '../../../../functions/ingest/ingest-queue.ts';
import { decodeEnvelope } from '../../../../functions/webhook/envelope.ts';
import { kept, queueUrl, refused, startSqs } from '../aws/sqs-client.ts';
import { answer } from '../sms-service/scripted-server.ts';

const envelope = {
  requestId: 'req-1',
  receivedAt: '2026-01-15T12:00:05.000Z',
  body: Buffer.from('{}'),
  unverified: { headers: { 'webhook-id': 'evt_1' }, url: 'https://example.test/webhooks/sms' },
};

it('sends the envelope, and resolves once SQS has confirmed it', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createEventQueue(client, queueUrl).send(envelope);
  expect(calls()).toMatchObject([{ call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl } }]);
  expect(decodeEnvelope(String(calls()[0]?.input.MessageBody))).toEqual(envelope);
});

it('throws where SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createEventQueue(client, queueUrl).send(envelope)).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
