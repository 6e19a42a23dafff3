import { gunzipSync } from 'node:zlib';
import { QueryCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quarantineId } from '../../../functions/receive/quarantine/quarantine.ts';
import { createQuarantineReader } from '../../../functions/receive/quarantine/quarantine-list-store.ts';
import { createQuarantine, type Quarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { createQuarantineRemoval } from '../../../functions/receive/quarantine/requeue-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { quarantineSuite } from '../../support/suites/quarantine.ts';
import { at } from '../../support/suites/reports.ts';

let tables: HistoryTables;
let quarantine: Quarantine;

const settings = (listShards: number) => ({ retentionDays: 90, listShards });

beforeAll(async () => {
  tables = await startHistoryTables();
  quarantine = createQuarantine(tables.client, tables.quarantine, settings(1), 'rules');
});
afterAll(() => tables.stop());

quarantineSuite('in DynamoDB', async () => ({
  ...quarantine,
  ...createQuarantineReader(tables.client, tables.quarantine, 1),
  remove: createQuarantineRemoval(tables.client, tables.quarantine, 1),
}));

describe('with lists that are split', () => {
  let split: HistoryTables;
  beforeAll(async () => {
    split = await startHistoryTables();
  });
  afterAll(() => split.stop());

  quarantineSuite('in DynamoDB', async () => {
    const writer = createQuarantine(split.client, split.quarantine, settings(4), 'rules');
    return {
      ...writer,
      ...createQuarantineReader(split.client, split.quarantine, 4),
      remove: createQuarantineRemoval(split.client, split.quarantine, 4),
    };
  });

  it('entries from before more shards are found and removed', async () => {
    const entry = { reason: 'not-json', receivedAt: at(30), raw: Buffer.from('{') } as const;
    const ids = Array.from({ length: 12 }, (_, index) => `${at(30)}#grown-${index}#body`);
    const writers = [1, 4].map((shards) =>
      createQuarantine(split.client, split.quarantine, settings(shards), 'rules'),
    );
    for (const [index] of ids.entries())
      await writers[index % 2]?.keep({ ...entry, requestId: `grown-${index}` });
    const { list, entry: read } = createQuarantineReader(split.client, split.quarantine, 4);
    const remove = createQuarantineRemoval(split.client, split.quarantine, 4);
    const { entries } = await list({ since: at(30), until: at(31) }, { limit: 100 });
    expect(entries.map(({ id }) => id).sort()).toEqual(ids.toSorted());
    for (const id of ids) {
      expect((await read(id))?.id).toBe(id);
      await remove(id);
      expect(await read(id)).toBeUndefined();
    }
  });
});

const large = JSON.stringify(Array(50_000).fill(1e20));

it.each([
  ['text as text', Buffer.from('\ufeff{"to":"é\u0000"}'), { S: '\ufeff{"to":"é\u0000"}' }, undefined],
  ['an empty body', Buffer.alloc(0), { S: '' }, undefined],
  ['other bytes as base64', Buffer.from([0, 255]), { S: 'AP8=' }, { S: 'base64' }],
  ['a large text compressed', Buffer.from(large), { S: expect.any(String) }, { S: 'gzip+base64' }],
  [
    'large other bytes compressed',
    Buffer.alloc(250_000, 255),
    { S: expect.any(String) },
    { S: 'gzip+base64' },
  ],
])('the quarantine keeps %s', async (name, raw, body, bodyEncoding) => {
  const id = { receivedAt: '2026-01-16T00:00:00.000Z', requestId: name };
  await quarantine.keep({ ...id, reason: 'unknown-kind', raw });
  const { Items = [] } = await tables.client.send(
    new QueryCommand({
      TableName: tables.quarantine,
      KeyConditionExpression: 'pk = :day',
      ExpressionAttributeValues: { ':day': { S: '2026-01-16' } },
    }),
  );
  const kept = Items.find(({ requestId }) => requestId?.S === name);
  expect([kept?.body, kept?.bodyEncoding]).toEqual([body, bodyEncoding]);
  if (bodyEncoding?.S === 'gzip+base64')
    expect(gunzipSync(Buffer.from(kept?.body?.S ?? '', 'base64')).equals(raw)).toBe(true);
  const read = await createQuarantineReader(tables.client, tables.quarantine, 1).entry(quarantineId(id));
  expect(raw.equals(read?.raw ?? Buffer.from('nothing'))).toBe(true);
});

it('the quarantine keeps an entry as one item, by day', async () => {
  const entry = { receivedAt: at(50), requestId: 'req-item', raw: Buffer.from('{"id":1}') };
  await quarantine.keep({ ...entry, index: 3, field: 'status', reason: 'missing-field', signedId: 'evt' });
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.quarantine }));
  expect(Items.filter(({ requestId }) => requestId?.S === 'req-item')).toEqual([
    {
      pk: { S: '2026-01-15' },
      sk: { S: `${at(50)}#req-item#3` },
      receivedAt: { S: at(50) },
      requestId: { S: 'req-item' },
      expiresAt: { N: String(Date.parse(at(50)) / 1000 + 90 * 86_400) },
      reason: { S: 'missing-field' },
      field: { S: 'status' },
      index: { N: '3' },
      signedId: { S: 'evt' },
      identity: { S: 'rules' },
      body: { S: '{"id":1}' },
    },
  ]);
});
