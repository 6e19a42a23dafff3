import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { until } from '../../tools/support/until.ts';

/** The app in own-app/pipelines.mjs, with two pipelines in one stack. */
let shop: LocalPipeline;

beforeAll(async () => {
  shop = await startLocalPipeline({ 'local:app': 'node test/nightly/own-app/pipelines.mjs', place: 'two' });
});
afterAll(async () => {
  expect(await shop.stop()).toBe(0);
});

async function sms(stack: string, ...args: string[]): Promise<string> {
  const command = ['bin/sms.ts', ...args, '--dir', shop.directory, '--stack', stack];
  const options = { cwd: join(import.meta.dirname, '../..') };
  return (await promisify(execFile)(process.execPath, command, options)).stdout;
}

it('commands reach each of two pipelines', async () => {
  // The second one, because the sandbox has only the secret of the webhook that was registered last.
  await sms('Shop:SmsTwo', 'webhook', 'test', '--message-id', 'm1', '--contract', 'contract.json');
  // The command fails as long as the message is not stored.
  const get = () => sms('Shop:SmsTwo', 'message', 'get', 'm1', '--json').catch(() => undefined);
  expect(JSON.parse(await until('the message is stored', get))).toMatchObject({ messageId: 'm1' });
  expect(await sms('Shop:Sms', 'outputs')).toContain('LocalPort');
  await expect(sms('Shop:Sms', 'message', 'get', 'm1')).rejects.toMatchObject({
    stderr: expect.stringContaining('No message "m1" in the history'),
  });
});

it('the second pipeline is named with the option by which commands find it', () => {
  expect(shop.printed()).toMatch(
    /note +the pipeline Shop:SmsTwo has its own webhook, .* --stack Shop:SmsTwo/,
  );
});
