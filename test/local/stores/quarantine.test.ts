import { gunzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQuarantineReader } from '../../../functions/lists/quarantine-list-store.ts';
import { createQuarantine, type Quarantine } from '../../../functions/quarantine/quarantine-store.ts';
import { createQuarantineRemoval } from '../../../functions/replay/requeue-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { quarantineSuite } from '../../support/suites/quarantine.ts';
import { at } from '../../support/suites/reports.ts';

let tables: HistoryTables;
let quarantine: Quarantine;

beforeAll(async () => {
  tables = await startHistoryTables();
  quarantine = createQuarantine(tables.client, tables.quarantine, 90, 'rules');
});
afterAll(() => tables.stop());

quarantineSuite('in DynamoDB', async () => ({
  ...quarantine,
  ...createQuarantineReader(tables.client, tables.quarantine),
  remove: createQuarantineRemoval(tables.client, tables.quarantine),
}));

it('the quarantine keeps an entry that is larger than an item compressed', async () => {
  const raw = Buffer.from(JSON.stringify(Array(50_000).fill(1e20)));
  await quarantine.keep({
    reason: 'unknown-kind',
    receivedAt: '2026-01-16T00:00:00.000Z',
    requestId: 'large',
    raw,
  });
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.quarantine }));
  const kept = Items.find(({ requestId }) => requestId?.S === 'large');
  expect(kept?.encoding).toEqual({ S: 'gzip' });
  expect(gunzipSync(kept?.raw?.B ?? Buffer.alloc(0)).equals(raw)).toBe(true);
});

it('the quarantine keeps an entry as one item, by day', async () => {
  const entry = { receivedAt: at(50), requestId: 'req-item', raw: Buffer.from([0, 255]) };
  await quarantine.keep({ ...entry, index: 3, field: 'status', reason: 'missing-field', signedId: 'evt' });
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.quarantine }));
  expect(Items.filter(({ requestId }) => requestId?.S === 'req-item')).toEqual([
    {
      pk: { S: expect.stringMatching(/^2026-01-15#[0-7]$/) },
      sk: { S: `${at(50)}#req-item#3` },
      receivedAt: { S: at(50) },
      requestId: { S: 'req-item' },
      expiresAt: { N: String(Date.parse(at(50)) / 1000 + 90 * 86_400) },
      reason: { S: 'missing-field' },
      field: { S: 'status' },
      index: { N: '3' },
      signedId: { S: 'evt' },
      identity: { S: 'rules' },
      raw: { B: new Uint8Array([0, 255]) },
    },
  ]);
});
