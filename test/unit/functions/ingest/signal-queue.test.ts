import { expect, it } from 'vitest';
import { createSignalQueue } from '../../../../functions/ingest/ingest-queue.ts';
import { decodeSignal } from '../../../../functions/webhook/mismatch-signal.ts';
import { kept, queueUrl, refused, startSqs } from '../aws/sqs-client.ts';
import { answer } from '../sms-service/scripted-server.ts';

const signal = { mismatches: 3, isBurst: true, isRotating: false };

it('sends the signal, and resolves once SQS has confirmed it', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createSignalQueue(client, queueUrl).send(signal);
  expect(calls()).toMatchObject([{ call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl } }]);
  expect(decodeSignal(String(calls()[0]?.input.MessageBody))).toEqual(signal);
});

it('throws where SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createSignalQueue(client, queueUrl).send(signal)).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
