import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDriftReader } from '../../../cli/stores/history-tables.ts';
import type { NotedMismatch } from '../../../contract/drift/drift-watch.ts';
import { createOptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import { createDriftRegister, readDriftDay } from '../../../functions/history/drift-store.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { messageKey } from '../../../functions/history/item-keys.ts';
import {
  createHistoryLists,
  createHistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { createStaleMarker } from '../../../functions/history/sweep/stale-marker-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { driftRegisterSuite } from '../../support/suites/drift-register.ts';
import { historyListsSuite } from '../../support/suites/history-lists.ts';
import { historyWriterSuite } from '../../support/suites/history-writer.ts';
import { optOutRegisterSuite } from '../../support/suites/opt-out-register.ts';
import { readAll, replied, report } from '../../support/suites/reports.ts';
import { staleMarkerSuite } from '../../support/suites/stale-marker.ts';

let tables: HistoryTables;

beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());

/** The history of the table, as all its users see it. */
function storedHistory(settings = { retentionDays: 400, listShards: 4 }) {
  const { client, history: TableName } = tables;
  const writer = createHistoryWriter(client, TableName, settings);
  return {
    ...writer,
    ...createHistoryReader(client, TableName),
    ...createHistoryLists(client, tables.history, settings.listShards),
    register: {
      ...createOptOutRegister(client, TableName, { listShards: settings.listShards }),
      ...createOptOutReader(client, TableName),
    },
    marker: createStaleMarker(client, TableName, settings),
    erase: (messageId: string) =>
      client.send(new DeleteItemCommand({ TableName, Key: { pk: { S: messageKey(messageId) } } })),
  };
}

const inDynamoDb = 'in DynamoDB';
historyListsSuite(inDynamoDb, async () => storedHistory());
historyWriterSuite(inDynamoDb, async () => storedHistory());
optOutRegisterSuite(inDynamoDb, async () => storedHistory().register);
driftRegisterSuite(inDynamoDb, async () => ({
  ...createDriftRegister(tables.client, tables.history),
  read: createDriftReader(tables.client, tables.history),
}));
it('reads one day of the drift register', async () => {
  const { client, history } = tables;
  const mismatch: NotedMismatch = {
    kind: 'kind' as const,
    field: 'events.kind',
    expected: 'a kind',
    found: 'string',
    shape: '{}',
    foundAt: '2026-02-15T12:00:00.000Z',
  };
  await createDriftRegister(client, history).note(mismatch);
  expect([...((await readDriftDay(client, history, '2026-02-15'))?.mismatches.values() ?? [])]).toEqual([
    mismatch,
  ]);
  expect(await readDriftDay(client, history, '2026-02-14')).toBeUndefined();
});

staleMarkerSuite(inDynamoDb, async () => storedHistory({ retentionDays: 10, listShards: 4 }));

it('the reader pages through 500 entries of a number without repeats or gaps during writes', async () => {
  const history = storedHistory();
  const phone = '+12025550180';
  const numbers = Array.from({ length: 500 }, (_, number) => number);
  const sent = (id: string, second: number) => report(id, id, 'sent', second, { phone, received: second });
  // Ten of each moment.
  await pMap(
    numbers,
    (number) =>
      number % 10 === 9
        ? history.storeReply(
            replied(`big-${number}`, 'e', Math.floor(number / 10), {
              from: phone,
              received: Math.floor(number / 10),
            }),
          )
        : history.storeMessage(sent(`big-${number}`, Math.floor(number / 10))),
    { concurrency: 32 },
  );
  let written = 0;
  const entries = await readAll(async (page) => {
    const delivered = (number: number) =>
      history.storeMessage(report(`big-${number}`, 'd', 'delivered', 3000, { phone, received: 3000 }));
    const [found] = await Promise.all([
      history.phone({ phone }, page),
      // A new message, a later report of one that comes later, and one of a message already seen.
      history.storeMessage(sent(`new-${written}`, 2000 + written)),
      delivered(490 - 10 * written),
      delivered(10 * written),
    ]);
    written += 1;
    return found;
  }, 25);
  const seen = entries.map((entry) =>
    entry.kind === 'reply' ? entry.reply.replyId : entry.message.messageId,
  );
  expect(written).toBeGreaterThanOrEqual(20);
  const old = seen.filter((id) => id.startsWith('big-'));
  expect(new Set(seen).size).toBe(seen.length);
  expect(new Set(old)).toEqual(new Set(numbers.map((number) => `big-${number}`)));
  const moments = old.map((id) => Math.floor(Number(id.slice('big-'.length)) / 10));
  expect(moments).toEqual(moments.toSorted((a, b) => b - a));
});

it('the reader lists entries that were written before the number of shards grew', async () => {
  const sendId = 'grown';
  const store = (history: ReturnType<typeof storedHistory>, number: number, status: 'sent' | 'queued') =>
    history.storeMessage(report(`grown-${number}`, status, status, number, { sendId, received: number }));
  await pMap([...Array(20).keys()], (number) =>
    store(storedHistory({ retentionDays: 400, listShards: 1 }), number, 'sent'),
  );
  const grown = storedHistory({ retentionDays: 400, listShards: 16 });
  for (const number of [3, 20, 21]) await store(grown, number, 'queued');
  const found = await readAll((page) => grown.send({ sendId }, page));
  expect(found.map(({ messageId }) => messageId)).toEqual(
    [...Array(22).keys()].toReversed().map((number) => `grown-${number}`),
  );
});
