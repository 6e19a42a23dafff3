import { gunzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createQuarantineRemoval } from '../../../cli/stores/history-tables.ts';
import { createQuarantineReader } from '../../../functions/lists/quarantine-list-store.ts';
import { createQuarantine, type Quarantine } from '../../../functions/quarantine/quarantine-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { quarantineSuite } from '../../support/suites/quarantine.ts';

let tables: HistoryTables;
let quarantine: Quarantine;

beforeAll(async () => {
  tables = await startHistoryTables();
  quarantine = createQuarantine(tables.client, tables.quarantine, 90);
});
afterAll(() => tables.stop());

quarantineSuite('in DynamoDB', async () => ({
  ...quarantine,
  ...createQuarantineReader(tables.client, tables.quarantine),
  remove: createQuarantineRemoval(tables.client, tables.quarantine),
}));

const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();

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

it('the quarantine keeps each entry once, by day', async () => {
  const entry = {
    reason: 'not-json',
    receivedAt: at(50),
    requestId: 'req',
    raw: Buffer.from([0, 255]),
  } as const;
  await quarantine.keep(entry);
  await quarantine.keep(entry);
  await quarantine.keep({ ...entry, index: 3, field: 'status', reason: 'missing-field', signedId: 'evt' });
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.quarantine }));
  const expiresAt = { N: String(Date.parse(at(50)) / 1000 + 90 * 86_400) };
  const common = {
    pk: { S: expect.stringMatching(/^2026-01-15#[0-7]$/) },
    receivedAt: { S: at(50) },
    requestId: { S: 'req' },
    expiresAt,
  };
  const ours = Items.filter(({ requestId }) => requestId?.S === 'req');
  expect(ours.sort((a, b) => ((a.sk?.S ?? '') < (b.sk?.S ?? '') ? -1 : 1))).toEqual([
    {
      ...common,
      sk: { S: `${at(50)}#req#3` },
      reason: { S: 'missing-field' },
      field: { S: 'status' },
      index: { N: '3' },
      signedId: { S: 'evt' },
      raw: { B: new Uint8Array([0, 255]) },
    },
    {
      ...common,
      sk: { S: `${at(50)}#req#body` },
      reason: { S: 'not-json' },
      raw: { B: new Uint8Array([0, 255]) },
    },
  ]);
});
