import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, onTestFinished } from 'vitest';
import { startFakeAws } from '../../../../../tools/bench/servers/fake-aws.ts';
import { makeCertificate } from '../../../../../tools/bench/servers/https-server.ts';

it('AWS shows a certificate that only clients with its file trust', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'certificate.pem');
  const aws = await startFakeAws('the secret', await makeCertificate(file));
  onTestFinished(() => aws.stop());
  const send = (settings: { readonly ca?: Buffer }) =>
    new SQSClient({
      region: 'us-east-1',
      endpoint: aws.url,
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      maxAttempts: 1,
      requestHandler: { httpsAgent: new Agent(settings) },
    }).send(new SendMessageCommand({ QueueUrl: `${aws.url}/000000000000/events`, MessageBody: 'ü' }));
  expect((await send({ ca: readFileSync(file) })).MessageId).toBeTruthy();
  await expect(send({})).rejects.toThrow('self-signed certificate');
  expect(aws.calls()).toBe(1);
});
