import { afterAll, beforeAll, expect, it } from 'vitest';
import { createReceiptTable } from '../../../cli/personal-data/receipts.ts';
import { createHistoryExport, type HistoryExport } from '../../../cli/stores/history-tables.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import type { TimelineEntry } from '../../../functions/history/message.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { at as atSecond, replied, report } from '../../support/suites/reports.ts';

/** It is the mark of no person. */
const person = { number: '', spellings: [], key: '' };

/** More than one batch of items; with the long texts of some more than one page of a batch, too. */
const count = 250;

let tables: HistoryTables;
let history: HistoryExport;

beforeAll(async () => {
  tables = await startHistoryTables();
  const { client, history: tableName } = tables;
  history = createHistoryExport(client, tableName);
  const writer = createHistoryWriter(client, tableName, { retentionDays: 400, listShards: 2 });
  for (let minute = 0; minute < count; minute++) {
    const facts = { received: minute * 60 };
    await writer.storeMessage(
      report(`m${minute}`, 'e', 'delivered', minute * 60, { ...facts, phone: phoneOf(minute) }),
    );
    const text = minute % 4 === 0 ? 'x'.repeat(100_000) : 'yes';
    await writer.storeReply(
      replied(`r${minute}`, 'e', minute * 60, { ...facts, from: phoneOf(minute), text }),
    );
  }
  await writer.storeMessage(report('no-number', 'e', 'delivered', 600, { received: 600 }));
  await createOptOutRegister(client, tableName, { listShards: 2 }).record({
    phone: phoneOf(10),
    state: 'out',
    at: at(10),
    by: 'person',
    replyId: 'r10',
  });
  await createReceiptTable(client, tableName).begin(
    {
      id: 'x',
      startedAt: at(10),
      toolVersion: '1',
      keepOptOut: false,
    },
    person,
  );
});
afterAll(() => tables.stop());

const at = (minute: number) => atSecond(minute * 60);
const phoneOf = (minute: number) => `+1202555${String(minute % 30).padStart(4, '0')}`;

async function idsOf(range: { since: string; until: string }): Promise<string[]> {
  const ids: string[] = [];
  for await (const { entries } of history.batches(range)) ids.push(...entries.map(idOf));
  return ids.sort();
}

const idOf = (entry: TimelineEntry) =>
  entry.kind === 'message' ? entry.message.messageId : entry.reply.replyId;

it('the export returns every message and reply of a range once, and nothing else', async () => {
  const all = Array.from({ length: count }, (_, minute) => [`m${minute}`, `r${minute}`]).flat();
  expect(await idsOf({ since: at(0), until: at(count) })).toEqual(all.sort());
});

it('the export includes the start of its range and excludes the end', async () => {
  expect(await idsOf({ since: at(5), until: at(7) })).toEqual(['m5', 'm6', 'r5', 'r6']);
  expect(await idsOf({ since: at(count), until: at(count + 1) })).toEqual([]);
});

it('the export continues after each of its pages, with nothing twice and nothing missing', async () => {
  const { client, history: tableName } = tables;
  client.middlewareStack.add(
    (next, { commandName }) =>
      (call) =>
        next(commandName === 'ScanCommand' ? { ...call, input: { ...call.input, Limit: 60 } } : call),
    { step: 'initialize', name: 'small pages' },
  );
  const { batches } = createHistoryExport(client, tableName);
  const range = { since: at(20), until: at(200) };
  const all = await idsOf(range);
  const ids: string[] = [];
  let pages = 0;
  for await (const { entries, next } of batches(range)) {
    ids.push(...entries.map(idOf));
    if (next === undefined) continue;
    pages += 1;
    const rest: string[] = [];
    for await (const batch of batches(range, next)) rest.push(...batch.entries.map(idOf));
    expect([...ids, ...rest].sort()).toEqual(all);
  }
  client.middlewareStack.remove('small pages');
  expect(pages).toBeGreaterThan(5);
});

it('the export estimates how much it would read', async () => {
  const { tableBytes, indexBytes, keys, tableId } = await history.size();
  expect(tableBytes).toBeGreaterThan(100_000);
  expect(indexBytes).toBeGreaterThan(0);
  expect([keys, tableId]).toEqual([2 * count, expect.stringMatching(/./)]);
});
