import { randomUUID } from 'node:crypto';
import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import { SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { signRequest } from '../../contract/signature/sign.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

const apiKeySecret = 'sms-pipeline/api-key';
const sandboxSchema = z.looseObject({ contacts: z.array(z.looseObject({ phone: z.string() })) });

let pipeline: LocalPipeline;
beforeAll(async () => {
  pipeline = await startLocalPipeline({ 'sms:optOutContacts': 'on', 'sms:contactSync': 'on' });
});
afterAll(() => pipeline.stop());

async function reply(from: string, text: string): Promise<void> {
  const id = randomUUID();
  const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
  const body = Buffer.from(JSON.stringify({ type: 'sms.reply', data }));
  const unsigned = { body, id, now: Date.now(), url: pipeline.webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, await pipeline.webhookSecret());
  const answer = await fetch(pipeline.webhookUrl, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
}

const setApiKey = (SecretString: string) =>
  pipeline.secretsManager.send(new PutSecretValueCommand({ SecretId: apiKeySecret, SecretString }));

async function contacts(): Promise<string[]> {
  const state = await fetch(`http://127.0.0.1:${pipeline.port + 1}/sandbox/state`);
  return sandboxSchema.parse(await state.json()).contacts.map(({ phone }) => phone);
}

it('opt-out and contact-sync retry until the API key is valid again, and an opt-out publishes a notice', async () => {
  const { NoticesTopicArn } = pipeline.outputs;
  const inbox = await pipeline.sqs.send(new CreateQueueCommand({ QueueName: 'notices' }));
  const sns = new SNSClient({
    endpoint: `http://127.0.0.1:${pipeline.port + 3}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  await sns.send(
    new SubscribeCommand({
      TopicArn: NoticesTopicArn,
      Protocol: 'sqs',
      Endpoint: 'arn:aws:sqs:us-east-1:000000000000:notices',
    }),
  );

  await setApiKey('wrong');
  await reply('+12025550143', 'STOP');
  await reply('+12025550144', 'Thank you');
  for (const name of ['opt-out', 'contact-sync'])
    await until(`${name} has failed`, () => pipeline.functionLog(name).includes('AUTOMATION-01'));
  await setApiKey('local-api-key');

  await reply('+12025550145', 'please stop texting me');
  const notice = await until('a notice is sent', async () => {
    const { Messages = [] } = await pipeline.sqs.send(
      new ReceiveMessageCommand({ QueueUrl: inbox.QueueUrl, WaitTimeSeconds: 1 }),
    );
    return Messages[0]?.Body;
  });
  expect(notice).not.toContain('2025550145');
  expect(notice).not.toContain('texting');

  const made = await until('both contacts are made', async () => {
    const so = await contacts();
    return so.includes('+12025550143') && so.includes('+12025550144') && so;
  });
  expect(made).not.toContain('+12025550145');
});
