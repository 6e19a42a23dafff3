import { SNSClient } from '@aws-sdk/client-sns';
import { afterEach, expect, it } from 'vitest';
import { createNotices } from '../../../../functions/base/notices-client.ts';
import {
  answer,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from './sms-service/scripted-server.ts';

const topic = 'arn:aws:sns:us-east-1:000000000000:notices';
const servers: ScriptedServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function startSns(step: Step) {
  const server = await startScriptedServer({ 'POST /': [step] }, () => undefined);
  servers.push(server);
  const client = new SNSClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  return { notices: createNotices(client, topic), server };
}

const taken = answer(
  200,
  '<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>',
  { 'content-type': 'text/xml' },
);

it('a notice goes to the topic with a subject that SNS accepts', async () => {
  const { notices, server } = await startSns(taken);
  await notices.send({ subject: `Cartão\n${'x'.repeat(200)}`, text: 'São 2' });
  const sent = new URLSearchParams(server.requests[0]?.body);
  expect([sent.get('TopicArn'), sent.get('Message')]).toEqual([topic, 'São 2']);
  expect(sent.get('Subject')).toBe(`Cart?o?${'x'.repeat(92)}`);
});

it('sending a notice fails when SNS does not accept it', async () => {
  const { notices } = await startSns(answer(500, ''));
  await expect(notices.send({ subject: 'a', text: 'b' })).rejects.toThrow();
});
