import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import type { QuarantineEntry } from '../../../../../functions/receive/quarantine/quarantine.ts';
import { createQuarantine } from '../../../../../functions/receive/quarantine/quarantine-store.ts';
import { scriptedAws } from '../../../../support/scripted-aws.ts';

async function itemOf(
  entry: QuarantineEntry,
  identity = 'rules',
  settings = { retentionDays: 90, listShards: 1 },
) {
  const { settings: aws, inputs } = scriptedAws();
  await createQuarantine(new DynamoDBClient(aws), 'quarantine', settings, identity).keep(entry);
  return inputs()[0]?.Item;
}

const rejected: QuarantineEntry = {
  reason: 'signature-mismatch',
  receivedAt: '2026-01-15T12:00:05.000Z',
  requestId: 'req-1',
  raw: Buffer.from('{}'),
  headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': '' },
  url: 'https://example.test/webhooks/sms?a=1',
};
it('the quarantine replaces text that is not valid Unicode, so that no received request fails permanently', async () => {
  expect(await itemOf({ ...rejected, headers: { 'webhook-id': 'a\ud800' }, url: 'u\udfff' })).toMatchObject({
    headers: { M: { 'webhook-id': { S: 'a\ufffd' } } },
    url: { S: 'u\ufffd' },
  });
});

it('the quarantine keeps the method of a captured request, the hash of the contract, and the version of the rules for ids', async () => {
  const captured = { ...rejected, reason: 'captured', method: 'POST', contract: '0123456789ab' } as const;
  expect(await itemOf(captured, 'abcdefghijkl')).toMatchObject({
    reason: { S: 'captured' },
    method: { S: 'POST' },
    contract: { S: '0123456789ab' },
    headers: { M: expect.anything() },
    url: { S: rejected.url },
    identity: { S: 'abcdefghijkl' },
    expiresAt: { N: String(Date.UTC(2026, 3, 15, 12, 0, 5) / 1000) },
  });
});
