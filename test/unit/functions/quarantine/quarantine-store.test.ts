import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import type { QuarantineEntry } from '../../../../functions/quarantine/quarantine.ts';
import { createQuarantine } from '../../../../functions/quarantine/quarantine-store.ts';
import { scriptedAws } from '../../../support/scripted-aws.ts';

async function itemOf(entry: QuarantineEntry, identity?: string): Promise<unknown> {
  const { settings, inputs } = scriptedAws();
  await createQuarantine(new DynamoDBClient(settings), 'quarantine', 90, identity).keep(entry);
  return inputs()[0]?.Item;
}

const verified: QuarantineEntry = {
  reason: 'not-json',
  receivedAt: '2026-01-15T12:00:05.000Z',
  requestId: 'req-1',
  raw: Buffer.from('{}'),
};
const rejected: QuarantineEntry = {
  ...verified,
  reason: 'signature-mismatch',
  headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '' },
  url: 'https://example.test/webhooks/sms?a=1',
};
const item = {
  pk: { S: expect.stringMatching(/^2026-01-15#[0-7]$/) },
  sk: { S: '2026-01-15T12:00:05.000Z#req-1#body' },
  reason: { S: 'not-json' },
  receivedAt: { S: '2026-01-15T12:00:05.000Z' },
  requestId: { S: 'req-1' },
  raw: { B: Buffer.from('{}').toString('base64') },
  expiresAt: { N: String(Date.UTC(2026, 3, 15, 12, 0, 5) / 1000) },
};

it('the quarantine keeps URL and headers of a rejected request as attributes of its item, and of no other', async () => {
  expect(await itemOf(verified)).toEqual(item);
  expect(await itemOf(rejected)).toEqual({
    ...item,
    reason: { S: 'signature-mismatch' },
    headers: { M: { 'webhook-id': { S: 'evt_1' }, 'webhook-timestamp': { S: '' } } },
    url: { S: 'https://example.test/webhooks/sms?a=1' },
  });
});

it('the quarantine replaces text that is not valid Unicode, so that no received request fails permanently', async () => {
  expect(await itemOf({ ...rejected, headers: { 'webhook-id': 'a\ud800' }, url: 'u\udfff' })).toMatchObject({
    headers: { M: { 'webhook-id': { S: 'a\ufffd' } } },
    url: { S: 'u\ufffd' },
  });
});

it('the quarantine keeps the method of a captured request, the hash of the contract, and the version of the rules for ids', async () => {
  const captured = { ...rejected, reason: 'captured', method: 'POST', contract: '0123456789ab' } as const;
  expect(await itemOf(captured, 'abcdefghijkl')).toMatchObject({
    ...{ reason: { S: 'captured' }, method: { S: 'POST' }, contract: { S: '0123456789ab' } },
    ...{ headers: { M: expect.anything() }, url: { S: rejected.url }, identity: { S: 'abcdefghijkl' } },
  });
});
