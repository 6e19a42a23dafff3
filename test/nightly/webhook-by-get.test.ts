import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formContractJson } from '../../tools/support/contracts.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../tools/support/sms-command.ts';
import { until } from '../../tools/support/until.ts';

/** A service that calls the webhook by GET, with everything in the query. */
const contractWith = (signature: object) => ({
  ...formContractJson,
  webhook: { ...formContractJson.webhook, method: 'GET', signature },
  samples: formContractJson.samples.map(({ request: _, ...sample }: Record<string, unknown>) => sample),
});
const signed = contractWith({
  scheme: 'hmac',
  algorithm: 'sha256',
  encoding: 'hex',
  query: 'sig',
  signedContent: '{query}',
  secret: { encoding: 'utf8' },
});
const withToken = contractWith({ scheme: 'token', query: 'key' });

let folder: string;
let contractFile: string;
let pipeline: LocalPipeline;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'by-get-'));
  contractFile = join(folder, 'contract.json');
  writeFileSync(contractFile, JSON.stringify(signed));
  pipeline = await startLocalPipeline({ 'sms:contractFile': contractFile });
});

afterAll(async () => {
  expect(await pipeline.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const sms = async (...args: string[]) => {
  const { code, out, err } = await smsCommand(pipeline.directory, args);
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) });
  return out;
};

async function send(messageId: string): Promise<void> {
  const fields = {
    messageId,
    recipient: '12025550143',
    status: 'delivered',
    occurredAt: '2026-01-15T12:00:05.000Z',
  };
  const answer = await fetch(`http://127.0.0.1:${pipeline.port + 1}/sandbox/events`, {
    method: 'POST',
    body: JSON.stringify({ events: [{ kind: 'sms.status', fields }], options: { repeats: 2 } }),
  });
  expect(await answer.json()).toMatchObject({ failed: [] });
  const stored = await until(`${messageId} is in history`, async () => {
    const { code, out } = await smsCommand(pipeline.directory, ['message', 'get', messageId, '--json']);
    return code === 0 ? JSON.parse(out) : undefined;
  });
  expect(stored).toMatchObject({ phone: '+12025550143', status: 'delivered' });
  expect(stored.events).toHaveLength(1);
}

const status = async (query: string, method = 'GET') =>
  (await fetch(pipeline.webhookUrl + query, { method })).status;

it('a report that is signed in the query of a GET reaches the history, and its copies change nothing', async () => {
  await send('by-get-1');
  expect(await status('?MessageSid=forged&MessageStatus=delivered')).toBe(401);
  expect(await status('', 'POST')).toBe(405);
  expect((await fetch(`${pipeline.webhookUrl}/x`)).status).toBe(404);
});

it('sms webhook test and sms doctor send by GET', async () => {
  expect(await sms('webhook', 'test', '--contract', contractFile)).toContain('HTTP 202');
  const { out } = await smsCommand(pipeline.directory, ['doctor', '--contract', contractFile]);
  expect(out).toContain('accepted a signed event with HTTP 202');
});

it('a report with the secret in the query reaches the history, and the secret reaches nothing else', async () => {
  const secret = await pipeline.webhookSecret();
  writeFileSync(contractFile, JSON.stringify(withToken));
  await until(
    'the functions have the contract',
    async () => pipeline.printed().includes('the functions run with the changed') || undefined,
  );
  expect(await pipeline.webhookSecret()).toBe(secret);
  await send('by-get-2');

  await sms('contract', 'capture', 'on', '--for', '1h');
  const wrong = 'another-secret-of-a-sender';
  expect(await status(`?MessageSid=by-get-3&MessageStatus=delivered&key=${wrong}`)).toBe(202);
  // The event has no status, so that it is kept in quarantine.
  expect(await status(`?MessageSid=by-get-4&key=${secret}`)).toBe(202);
  const entries = await until('both are in quarantine', async () => {
    const list = JSON.parse(await sms('quarantine', 'list', '--limit', '100', '--json')).entries;
    return list.length === 2 ? list : undefined;
  });
  const shown = await Promise.all(
    entries.flatMap(({ id }: { id: string }) => [
      sms('quarantine', 'show', id, '--json'),
      sms('quarantine', 'show', id, '--reveal'),
      sms('quarantine', 'show', id, '--raw'),
    ]),
  );
  const logs = ['Ingest', 'Worker', 'Setup', 'Publisher', ''].map((part) => pipeline.functionLog(part));
  const written = [JSON.stringify(entries), ...shown, ...logs, pipeline.printed()].join('\n');
  expect(written).toContain('by-get-3');
  expect(written).toContain('by-get-4');
  expect(written).not.toContain(wrong);
  expect(written).not.toContain(secret);
});
