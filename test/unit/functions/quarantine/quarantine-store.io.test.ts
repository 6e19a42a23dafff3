import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import type { QuarantineEntry } from '../../../../functions/quarantine/quarantine.ts';
import { createQuarantine } from '../../../../functions/quarantine/quarantine-store.ts';
import { answer, startScriptedServer } from '../sms-service/scripted-server.ts';

async function itemOf(entry: QuarantineEntry, identity?: string): Promise<Record<string, unknown>> {
  const server = await startScriptedServer({ 'POST /': [answer(200, {})] }, () => undefined);
  onTestFinished(() => server.close());
  const client = new DynamoDBClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  await createQuarantine(client, 'quarantine', 90, identity).keep(entry);
  return JSON.parse(server.requests[0]?.body ?? '').Item;
}

const refused: QuarantineEntry = {
  reason: 'signature-mismatch',
  receivedAt: '2026-01-15T12:00:05.000Z',
  requestId: 'req-1',
  raw: Buffer.from('{}'),
  headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '' },
  url: 'https://example.test/webhooks/sms?a=1',
};

it('the quarantine keeps URL and headers of a rejected request as attributes of its item', async () => {
  expect(await itemOf(refused)).toEqual({
    pk: { S: expect.stringMatching(/^2026-01-15#[0-7]$/) },
    sk: { S: '2026-01-15T12:00:05.000Z#req-1#body' },
    reason: { S: 'signature-mismatch' },
    receivedAt: { S: '2026-01-15T12:00:05.000Z' },
    requestId: { S: 'req-1' },
    raw: { B: Buffer.from('{}').toString('base64') },
    headers: { M: { 'webhook-id': { S: 'evt_1' }, 'webhook-timestamp': { S: '' } } },
    url: { S: 'https://example.test/webhooks/sms?a=1' },
    expiresAt: { N: String(Date.UTC(2026, 3, 15, 12, 0, 5) / 1000) },
  });
});

it('the quarantine replaces text that is not valid Unicode, so that no received request fails permanently', async () => {
  const item = await itemOf({ ...refused, headers: { 'webhook-id': 'a\ud800' }, url: 'u\udfff' });
  expect(item).toMatchObject({ headers: { M: { 'webhook-id': { S: 'a\ufffd' } } }, url: { S: 'u\ufffd' } });
});

it('the quarantine also keeps the method of a captured request, and the hash of the contract of any request', async () => {
  const item = await itemOf({ ...refused, reason: 'captured', method: 'POST', contract: '0123456789ab' });
  expect(item).toMatchObject({
    ...{ reason: { S: 'captured' }, method: { S: 'POST' }, contract: { S: '0123456789ab' } },
    ...{ headers: { M: expect.anything() }, url: { S: refused.url } },
  });
});

it('the quarantine keeps neither URL nor headers of a verified request', async () => {
  const { headers, url, ...verified } = refused;
  const item = await itemOf({ ...verified, reason: 'not-json' });
  expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['headers']));
  expect(Object.keys(item)).not.toEqual(expect.arrayContaining(['url']));
});

it('the quarantine keeps with every entry the version of the rules for ids', async () => {
  expect(await itemOf(refused, 'abcdefghijkl')).toMatchObject({ identity: { S: 'abcdefghijkl' } });
});
