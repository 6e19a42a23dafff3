import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  ScanCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPersonalData } from '../../cli/personal-data/eraser.ts';
import { type CanonicalStatus, rankOf } from '../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { stateOf } from '../../functions/history/item-keys.ts';
import { messageOf, replyOf } from '../../functions/history/message.ts';
import { messageFromItem, messageItem } from '../../functions/history/message-item.ts';
import { optOutChangeFromItem, statementsFromItem } from '../../functions/history/opt-out/opt-out.ts';
import { createOptOutRegister } from '../../functions/history/opt-out/opt-out-store.ts';
import { replyFromItem, replyItem } from '../../functions/history/reply-item.ts';
import { createStaleMarker } from '../../functions/history/sweep/stale-marker-store.ts';
import { createQuarantine } from '../../functions/receive/quarantine/quarantine-store.ts';
import { localClient } from '../../local/aws-protocol/call.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';

/** It is the mark of no person. */
const person = { number: '', spellings: [], key: '' };

const phone = '+12025550143';
const startedAt = Date.parse('2026-01-15T12:00:00.000Z');
const settings = { retentionDays: 400, listShards: 4 };

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());
beforeEach(async () => {
  for (const TableName of [tables.history, tables.quarantine])
    for (const { pk = { S: '' }, sk } of await rows(TableName))
      await tables.client.send(
        new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }),
      );
});

const rows = async (TableName: string) =>
  (await tables.client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];

const at = (second: number) => new Date(startedAt + second * 1000).toISOString();

function report(second: number, status: CanonicalStatus) {
  const content = { messageId: 'm', eventId: `m-${second}`, phone, status, rank: rankOf(status) };
  return messageOf({ kind: 'sms.status', ...content, occurredAt: at(second) }, at(second));
}

function reply(second: number, text: string) {
  const content = { replyId: 'r', eventId: `r-${second}`, from: phone, text };
  return replyOf({ kind: 'sms.reply', ...content, occurredAt: at(second) }, at(second));
}

/** What the worker does with a report, a reply and an opt-out of the number, each of one time. */
function worker(client: DynamoDBClient) {
  const writer = createHistoryWriter(client, tables.history, settings);
  const register = createOptOutRegister(client, tables.history, settings);
  const quarantine = createQuarantine(
    client,
    tables.quarantine,
    { retentionDays: 90, listShards: 4 },
    'rules',
  );
  const writes = {
    report: (second: number, status: CanonicalStatus) => writer.storeMessage(report(second, status)),
    reply: (second: number, text: string) => writer.storeReply(reply(second, text)),
    optOut: (second: number) =>
      register.record({ phone, state: 'out', at: at(second), by: 'person', replyId: `r-${second}` }),
    unreadable: (second: number) =>
      quarantine.keep({
        reason: 'unknown-kind',
        receivedAt: at(second),
        requestId: `q-${second}`,
        raw: Buffer.from(`{"to":"${phone}"}`),
      }),
  };
  return {
    ...writes,
    storeAll: async (second: number, status: CanonicalStatus) => {
      await writes.report(second, status);
      await writes.reply(second, `text ${second}`);
      await writes.optOut(second);
      await writes.unreadable(second);
    },
  };
}

/**
 * A client of these tables that calls `before` with the input and the number of each call, whose own calls do not count, and `after` with the input
 * of each call that succeeded.
 */
function clientThat(
  before: (input: object, call: number) => Promise<unknown>,
  after: (input: object) => void = () => {},
): DynamoDBClient {
  const client = new DynamoDBClient({ ...localClient(tables.endpoint), maxAttempts: 1 });
  let calls = 0;
  client.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      await before(args.input, calls);
      const output = await next(args);
      after(args.input);
      return output;
    },
    { step: 'initialize', name: 'before', priority: 'low' },
  );
  return client;
}

function personalData(client: DynamoDBClient = tables.client) {
  return createPersonalData(
    client,
    tables,
    () => startedAt,
    0,
    () => {},
    () => {},
  );
}

async function erase(id: string, client: DynamoDBClient = tables.client, keepOptOut = false) {
  const data = personalData(client);
  await data.receipts.begin({ id, startedAt: at(0), toolVersion: '1.2.3', keepOptOut }, person);
  return (await data.erase({ phone, receiptId: id })).receipt;
}

async function found(): Promise<number> {
  let records = 0;
  for await (const _ of personalData().records(phone)) records += 1;
  return records;
}

/** Expects that an item has all that its content asks for: the state, the keys of its lists and its number of reports. */
function expectWhole(item: Record<string, AttributeValue>): void {
  const {
    pk: { S: key = '' } = {},
    generation: { S: generation = '' } = {},
    expiresAt: { N: expiry } = {},
  } = item;
  if (key.startsWith('message#'))
    expect(item).toEqual(messageItem(messageFromItem(item), generation, Number(expiry), settings));
  if (key.startsWith('reply#'))
    expect(item).toEqual(replyItem(replyFromItem(item), generation, Number(expiry), settings));
  if (key.startsWith('optout#')) expect(statementsFromItem(item)[0]).toEqual(optOutChangeFromItem(item));
}

it('whatever the worker stores before a call of an erasure is erased or left whole, each deletion is counted, and a second erasure leaves nothing', async () => {
  const { storeAll } = worker(tables.client);
  let isOver = false;
  let leftOvers = 0;
  for (let meanwhile = 1; !isOver; meanwhile++) {
    await storeAll(1, 'sent');
    isOver = true;
    const written: TransactWriteItem[] = [];
    const client = clientThat(
      async (_input, call) => {
        if (call !== meanwhile) return;
        isOver = false;
        await storeAll(meanwhile + 1, 'delivered');
      },
      // A transaction that meets a change is refused as a whole, and repeated without what changed.
      (input) => {
        if ('TransactItems' in input) written.push(...(input.TransactItems as TransactWriteItem[]));
      },
    );
    const first = await erase(`first-${meanwhile}`, client);
    client.destroy();
    const deleted = written.filter((one) => one.Delete !== undefined).length;
    const counted = Object.values(first.counts).reduce((sum, count) => sum + count, 0);
    expect([meanwhile, first.state, counted]).toEqual([meanwhile, 'done', deleted]);
    for (const item of await rows(tables.history)) expectWhole(item);
    const left = await found();
    leftOvers += left;
    const second = await erase(`second-${meanwhile}`);
    expect(Object.values(second.counts).reduce((sum, count) => sum + count, 0)).toBe(left);
    expect([meanwhile, await found()]).toEqual([meanwhile, 0]);
  }
  // Otherwise no write met the end of an erasure.
  expect(leftOvers).toBeGreaterThan(0);
});

it.each<[string, (stores: ReturnType<typeof worker>) => Promise<unknown>]>([
  ['a report that decides the status', ({ report }) => report(9, 'delivered')],
  // The worker has to read the message first.
  ['an older report', ({ report }) => report(0, 'queued')],
  ['a reply', ({ reply }) => reply(9, 'text 9')],
  ['an opt-out', ({ optOut }) => optOut(9)],
])('%s that the worker writes across an erasure brings back nothing that was erased', async (_, write) => {
  let isOver = false;
  let meanwhile = 0;
  while (!isOver) {
    meanwhile += 1;
    await worker(tables.client).storeAll(1, 'sent');
    isOver = true;
    const client = clientThat(async (_input, call) => {
      if (call !== meanwhile) return;
      isOver = false;
      await erase(`across-${meanwhile}`);
    });
    await write(worker(client));
    client.destroy();
    if (isOver) break;
    const items = (await rows(tables.history)).filter(({ pk }) => !pk?.S?.startsWith('erasure#'));
    expect(items).toHaveLength(1);
    for (const item of items) {
      expectWhole(item);
      // The time is in the name of a report, in the text of a reply, and in the statement of an opt-out.
      expect(JSON.stringify(item)).not.toMatch(/m-1"|text 1|r-1"/);
    }
    await erase(`cleaned-${meanwhile}`);
  }
  expect(meanwhile).toBeGreaterThan(1);
});

it('an erased message is not marked as stale', async () => {
  await worker(tables.client).report(1, 'sent');
  const [item = {}] = await rows(tables.history);
  const stored = { ...messageFromItem(item), ...stateOf(item) };
  const [entry] = report(9, 'unknown').events.values();
  if (entry === undefined) throw new Error('no report');
  await erase('marked');
  const marker = createStaleMarker(tables.client, tables.history, settings);
  expect(await marker.mark(stored, entry)).toBe('changed');
  expect(await found()).toBe(0);
});

it('an opt-out that arrives during an erasure that keeps opt-outs is kept beside the stored one', async () => {
  const { storeAll, optOut } = worker(tables.client);
  await storeAll(1, 'sent');
  const client = clientThat(async (_, call) => {
    if (call === 3) await optOut(9);
  });
  expect((await erase('kept', client, true)).counts).toMatchObject({ message: 1, 'opt-out': 0 });
  client.destroy();
  const item = (await rows(tables.history)).find(({ pk }) => pk?.S?.startsWith('optout#')) ?? {};
  expect(statementsFromItem(item).map(({ replyId }) => replyId)).toEqual(['r-9', 'r-1']);
});

it('a plan of an erasure writes nothing', async () => {
  await worker(tables.client).storeAll(1, 'sent');
  const inputs: object[] = [];
  const client = clientThat(async (input) => inputs.push(input));
  const kinds: string[] = [];
  for await (const { kind } of personalData(client).records(phone)) kinds.push(kind);
  client.destroy();
  expect(kinds.toSorted()).toEqual(['message', 'opt-out', 'quarantined', 'reply']);
  // Only writes name one item, or are transactions.
  expect(inputs.filter((input) => ['Item', 'Key', 'TransactItems'].some((name) => name in input))).toEqual(
    [],
  );
});
