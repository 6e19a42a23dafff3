import { gunzipSync } from 'node:zlib';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CursorError } from '../../../functions/lists/cursor.ts';
import {
  createQuarantineReader,
  type QuarantineReader,
} from '../../../functions/lists/quarantine-list-store.ts';
import { quarantineId } from '../../../functions/quarantine/quarantine.ts';
import { createQuarantine, type Quarantine } from '../../../functions/quarantine/quarantine-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

let tables: HistoryTables;
let quarantine: Quarantine;
let reader: QuarantineReader;

beforeAll(async () => {
  tables = await startHistoryTables();
  quarantine = createQuarantine(tables.client, tables.quarantine, 90);
  reader = createQuarantineReader(tables.client, tables.quarantine);
});
afterAll(() => tables.stop());

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

describe('the quarantine entries of a range of time', () => {
  const range = { since: '2026-03-01T00:00:00.000Z', until: '2026-03-03T00:00:00.000Z' };
  const entries = Array.from({ length: 40 }, (_, number) => ({
    reason: number % 4 === 0 ? ('bad-time' as const) : ('not-json' as const),
    // Several of one moment, over two days and one more that is not asked for.
    receivedAt: new Date(Date.UTC(2026, 2, 1, Math.floor(number / 3) * 5)).toISOString(),
    requestId: `list-${number}`,
    ...(number % 2 === 0 ? { index: number } : {}),
    raw: Buffer.from(`raw ${number}`),
  }));
  const inRange = entries.filter(({ receivedAt }) => receivedAt < range.until);

  beforeAll(async () => {
    for (const entry of entries) await quarantine.keep(entry);
  });

  async function readAll(query: Parameters<QuarantineReader['list']>[0]) {
    const found = [];
    let cursor: string | undefined;
    do {
      const page = await reader.list(query, { limit: 7, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.entries);
      cursor = page.next;
    } while (cursor !== undefined);
    return found;
  }

  it('are listed over all pages, each once, newest first, and without the received bytes', async () => {
    const found = await readAll(range);
    expect(inRange.length).toBeGreaterThan(20);
    expect(inRange.length).toBeLessThan(entries.length);
    expect(found.map(({ id }) => id).sort()).toEqual(inRange.map(quarantineId).sort());
    const times = found.map(({ receivedAt }) => receivedAt);
    expect(times).toEqual([...times].sort().reverse());
    expect(found[0]).not.toHaveProperty('raw');
    const one = inRange[4];
    expect(found).toContainEqual({
      id: `${one?.receivedAt}#list-4#4`,
      reason: 'bad-time',
      receivedAt: one?.receivedAt,
      requestId: 'list-4',
      index: 4,
    });
  });

  it('can be restricted to one reason', async () => {
    const found = await readAll({ ...range, reason: 'bad-time' });
    const wanted = inRange.filter(({ reason }) => reason === 'bad-time').map(quarantineId);
    expect(found.map(({ id }) => id).sort()).toEqual(wanted.sort());
  });

  it('reject cursors of another list', async () => {
    const { next = '' } = await reader.list(range, { limit: 1 });
    await expect(reader.list({ ...range, reason: 'bad-time' }, { limit: 1, cursor: next })).rejects.toThrow(
      CursorError,
    );
  });
});

describe('one quarantine entry', () => {
  it('is read by its id, with the request as received', async () => {
    const raw = Buffer.from(JSON.stringify(Array(50_000).fill(1e20)));
    const entry = {
      reason: 'signature-mismatch',
      receivedAt: at(40),
      requestId: 'one',
      raw,
      headers: { 'webhook-id': 'evt' },
      url: 'https://api.example/webhooks/sms?x=1',
    } as const;
    await quarantine.keep(entry);
    const found = await reader.entry(`${at(40)}#one#body`);
    expect(found).toEqual({ ...entry, id: `${at(40)}#one#body`, raw: expect.anything() });
    expect(raw.equals(found?.raw ?? Buffer.alloc(0))).toBe(true);
  });

  it.each(['', 'x', `${at(40)}#one`, `${at(40)}#other#body`, `${at(40)}#one#0`])(
    'is undefined for an unknown id: %j',
    async (id) => {
      expect(await reader.entry(id)).toBeUndefined();
    },
  );
});
