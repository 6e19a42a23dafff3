import { expect, it } from 'vitest';
import { createPublishFailures } from '../../../../functions/bus/event-bus-client.ts';
import { kept, queueUrl, refused, startSqs } from '../aws/sqs-client.ts';
import { answer } from '../sms-service/scripted-server.ts';

const failure = { kind: 'record-unreadable', recordId: '1', itemKey: undefined, error: 'x' } as const;

it('the publish failure queue receives the ids, and the sender resolves once SQS has confirmed them', async () => {
  const { client, calls } = await startSqs(answer(200, kept));
  await createPublishFailures(client, queueUrl).keep(failure);
  expect(calls()).toMatchObject([{ call: 'AmazonSQS.SendMessage', input: { QueueUrl: queueUrl } }]);
  expect(JSON.parse(String(calls()[0]?.input.MessageBody))).toEqual({
    kind: 'record-unreadable',
    recordId: '1',
    error: 'x',
  });
});

it('the sender to the publish failure queue throws if SQS does not confirm', async () => {
  const { client } = await startSqs(answer(400, refused));
  await expect(createPublishFailures(client, queueUrl).keep(failure)).rejects.toMatchObject({
    name: 'InvalidMessageContents',
  });
});
