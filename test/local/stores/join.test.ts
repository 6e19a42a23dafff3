import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { markOf } from '../../../cli/personal-data/erased-persons.ts';
import { createPersonalData } from '../../../cli/personal-data/eraser.ts';
import { createHistoryItems, type HistoryItems } from '../../../cli/stores/history-items.ts';
import { openTables } from '../../../cli/stores/table-copy.ts';
import type { Connection } from '../../../cli/target/connection.ts';
import { MissingOutput } from '../../../cli/target/stack/outputs.ts';
import type { RequestValues } from '../../../contract/events/request-values.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import type { Item } from '../../../functions/history/item-keys.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { at, replied, report } from '../../support/suites/reports.ts';
import { commandLine } from '../../unit/cli/support/harness.ts';

const now = Date.parse(at(3600));
const settings = { retentionDays: 400, listShards: 2 };
const phone = '+12025550143';
const key = 'the key of this pipeline';

let here: HistoryTables;
let copy: HistoryTables;
let folder: string;
const home = process.cwd();

beforeAll(async () => {
  [here, copy] = await Promise.all([startHistoryTables(), startHistoryTables()]);
});
afterAll(() => Promise.all([here.stop(), copy.stop()]));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sms-join-'));
  process.chdir(folder);
  for (const { client, history, quarantine } of [here, copy])
    for (const TableName of [history, quarantine])
      for (const { pk = { S: '' }, sk } of await itemsOf({ client } as HistoryTables, TableName))
        await client.send(new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }));
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function itemsOf({ client }: Pick<HistoryTables, 'client'>, TableName: string): Promise<Item[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items;
}

/** The items of a history without what each write changes, by their keys. */
async function stateOf(tables: HistoryTables): Promise<ReadonlyMap<string, Item>> {
  const items = [...(await itemsOf(tables, tables.history)), ...(await itemsOf(tables, tables.quarantine))];
  return new Map(
    items
      .map(({ generation: _, quiet: _quiet, ...item }) => [item.sk?.S ?? item.pk?.S ?? '', item] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** What the worker does. */
function worker(tables: HistoryTables) {
  const writer = createHistoryWriter(tables.client, tables.history, settings);
  const register = createOptOutRegister(tables.client, tables.history, settings);
  const quarantine = createQuarantine(
    tables.client,
    tables.quarantine,
    { ...settings, retentionDays: 90 },
    'rules',
  );
  return {
    ...writer,
    record: register.record,
    keep: (second: number, body: string, beside: RequestValues = {}) =>
      quarantine.keep({
        reason: 'unknown-kind',
        receivedAt: at(second),
        requestId: `q-${second}`,
        raw: Buffer.from(body),
        ...beside,
      }),
  };
}

const stop = (second: number) =>
  ({ phone, state: 'out', at: at(second), by: 'person', replyId: `r${second}` }) as const;

/** Stores something of each kind. */
async function fill(tables: HistoryTables, ids: readonly string[]): Promise<void> {
  const { storeMessage, storeReply, record, keep } = worker(tables);
  for (const id of ids) {
    await storeMessage(report(id, 'e1', 'sent', 1, { phone, sendId: 'spring' }));
    await storeMessage(report(id, 'e2', 'delivered', 2));
    await storeReply(replied(`r-${id}`, 'e1', 3, { from: '+12025550144' }));
  }
  await record(stop(3));
  await keep(4, '{"to":"+12025550144"}');
}

/** Begins an erasure of a person in the history `here`. */
async function beginErasure(id: string, person = phone) {
  const data = createPersonalData(
    here.client,
    here,
    () => now,
    0,
    () => {},
    () => {},
  );
  const receipt = { id, startedAt: at(3600), toolVersion: '1.2.3', keepOptOut: false };
  await data.receipts.begin(receipt, markOf(person, key));
  return data;
}

async function erase(receiptId: string, person = phone): Promise<void> {
  const data = await beginErasure(receiptId, person);
  await data.erase({ phone: person, receiptId });
}

interface Parts {
  readonly failsAfter?: number;
  readonly wait?: () => Promise<boolean>;
  readonly keys?: readonly string[];
}

/** The commands of the pipeline of the tables `here`. */
function pipeline({
  failsAfter = Number.POSITIVE_INFINITY,
  wait = async () => true,
  keys = [key],
}: Parts = {}) {
  let writes = 0;
  const open = async (): Promise<HistoryItems> => {
    const items = await createHistoryItems(here.client, here);
    return {
      ...items,
      async put(...args) {
        writes += 1;
        if (writes > failsAfter) throw new Error('the process was killed');
        return items.put(...args);
      },
    };
  };
  const connection: Partial<Connection> = {
    historyItems: open,
    historySettings: async () => ({ ...settings, optOutsBySource: false }),
    copiedTables: ({ tables }) => openTables(copy.client, tables),
    erasureKey: async () => ({ name: 'table/erasure-key', read: async () => keys, ensure: async () => key }),
    recount: () => Promise.reject(new MissingOutput('no insights')),
  };
  const { sms } = commandLine({ connection, wait, clock: () => now });
  return sms;
}

const fromTables = () => ['--from-table', copy.history, copy.quarantine];

it('joins messages, replies, opt-outs and the quarantine of other tables, quietly and once', async () => {
  await fill(copy, ['a', 'b', 'c']);
  await worker(here).storeMessage(report('a', 'e3', 'failed', 5, { phone }));
  await worker(here).storeMessage(report('b', 'e1', 'sent', 1, { phone, sendId: 'spring' }));
  const before = await stateOf(here);

  const dry = await pipeline()('history', 'join', ...fromTables(), '--dry-run', '--json');
  expect(dry).toMatchObject({ code: 0, err: '' });
  const counts = {
    message: { added: 1, completed: 2 },
    reply: { added: 3 },
    'opt-out': { added: 1 },
    quarantined: { added: 1 },
  };
  expect(JSON.parse(dry.out)).toMatchObject({ dryRun: true, items: 8, counts, problems: [] });
  expect(await stateOf(here)).toEqual(before);

  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm');
  expect(joined.code).toBe(0);
  expect(joined.out).toContain('The join is complete. Nothing was published.');
  const after = await itemsOf(here, here.history);
  expect(after.filter(({ quiet }) => quiet?.BOOL === true)).toHaveLength(7);
  expect(after.find(({ pk }) => pk?.S === 'message#a')).toMatchObject({
    'report#e1': expect.anything(),
    'report#e2': expect.anything(),
    'report#e3': expect.anything(),
    sendId: { S: 'spring' },
  });

  const again = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--json');
  expect(JSON.parse(again.out).counts).toEqual({
    message: { equal: 2, newer: 1 },
    reply: { equal: 3 },
    'opt-out': { equal: 1 },
    quarantined: { equal: 1 },
  });
});

it('compares: equal after a join of each into the other, and names what differs before', async () => {
  await fill(copy, ['a', 'b']);
  await fill(here, ['a']);
  await worker(here).storeMessage(report('only-here', 'e1', 'sent', 1));
  for (const tables of [here, copy]) await worker(tables).storeMessage(report('more-here', 'e1', 'sent', 1));
  await worker(here).storeMessage(report('more-here', 'e2', 'delivered', 2));
  const sms = pipeline();
  const different = await sms('history', 'compare', ...fromTables(), '--json');
  expect(different.code).toBe(1);
  expect(JSON.parse(different.out)).toMatchObject({
    isEqual: false,
    counts: { message: { equal: 1, newer: 1, added: 1 }, reply: { equal: 1, added: 1 } },
    onlyHere: { message: 1 },
    named: expect.arrayContaining([
      { kind: 'message', key: 'message#b', outcome: 'added' },
      { kind: 'reply', key: 'reply#r-b', outcome: 'added' },
      { kind: 'message', key: 'message#only-here', outcome: 'only-here' },
      { kind: 'message', key: 'message#more-here', outcome: 'newer' },
    ]),
  });
  const shown = await sms('history', 'compare', ...fromTables());
  expect(shown.out).toContain('newer: message#more-here\nonly-here: message#only-here\n');
  await sms('history', 'join', ...fromTables(), '--confirm');
  await worker(copy).storeMessage(report('only-here', 'e1', 'sent', 1));
  await worker(copy).storeMessage(report('more-here', 'e2', 'delivered', 2));
  const equal = await sms('history', 'compare', ...fromTables());
  expect(equal.out).toContain('Both copies are equal.');
  expect(equal.code).toBe(0);
});

it('a comparison names what the copy says is old, of an erased person or unfinished, if this history has it', async () => {
  await fillBoth();
  await erase('two', '+12025550198');
  await worker(here).storeMessage(report('b', 'e1', 'sent', 1, { phone }));
  const [old, stranger] = ['a', 'b'].map((id) => `message#${id}`);
  await copy.client.send(new DeleteItemCommand({ TableName: copy.history, Key: { pk: { S: 'message#a' } } }));
  const longAgo = -401 * 86_400;
  await worker(copy).storeMessage(report('a', 'e1', 'sent', longAgo, { received: longAgo }));
  await worker(copy).storeMessage(report('b', 'e1', 'sent', 1, { phone: erasedPhone }));
  await copy.client.send(new PutItemCommand({ TableName: copy.history, Item: { pk: { S: 'erasure#two' } } }));
  const compared = await pipeline()('history', 'compare', ...fromTables(), '--json');
  expect(compared.code).toBe(1);
  const { counts, onlyHere, named } = JSON.parse(compared.out);
  expect(counts).toMatchObject({ message: { expired: 1, erased: 1 }, erasure: { unfinished: 1 } });
  expect(onlyHere).toEqual({ message: 2, erasure: 1 });
  expect(named).toEqual(
    expect.arrayContaining(
      [old, stranger].map((item) => ({ kind: 'message', key: item, outcome: 'only-here' })),
    ),
  );
});

it('an export that is joined elsewhere is the same history', async () => {
  await fill(here, ['a', 'b', 'c']);
  const before = await stateOf(here);
  const sms = pipeline();
  expect(await sms('history', 'export', '--out', 'history.jsonl')).toMatchObject({
    code: 0,
    err: 'Wrote 8 items to history.jsonl.\n',
  });
  expect(readFileSync('history.jsonl', 'utf8').trimEnd().split('\n').at(-1)).toBe('{"Complete":{"items":8}}');
  expect((await sms('history', 'compare', '--from-file', 'history.jsonl')).out).toContain(
    'Both copies are equal.',
  );
  for (const TableName of [here.history, here.quarantine])
    for (const { pk = { S: '' }, sk } of await itemsOf(here, TableName))
      await here.client.send(
        new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }),
      );
  expect((await sms('history', 'join', '--from-file', 'history.jsonl', '--confirm')).code).toBe(0);
  expect(await stateOf(here)).toEqual(before);
});

it('reads the files that DynamoDB exports, and says which file was cut off', async () => {
  await fill(copy, ['a']);
  const [message = {}, ...others] = await itemsOf(copy, copy.history);
  const lines = [
    { Item: message },
    ...others.map((item) => ({ Keys: { pk: item.pk }, NewImage: item, OldImage: {} })),
    { Keys: { pk: { S: 'message#deleted' } }, OldImage: message },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync('full.json.gz', gzipSync(text));
  writeFileSync('cut.json.gz', gzipSync(text).subarray(0, 300));
  writeFileSync('cut.jsonl', text);
  writeFileSync('other.jsonl', '{"messageId":"a"}\n');
  const sms = pipeline();
  const join = (file: string) => sms('history', 'join', '--from-file', file, '--confirm');
  expect(await join('full.json.gz')).toMatchObject({ code: 0 });
  expect(await join('cut.json.gz')).toMatchObject({
    code: 1,
    err: expect.stringContaining('is damaged, was cut off'),
  });
  expect(await join('cut.jsonl')).toMatchObject({
    code: 1,
    out: expect.stringContaining('cut.jsonl has no last line "Complete"'),
  });
  expect(await join('other.jsonl')).toMatchObject({
    code: 1,
    err: expect.stringContaining('other.jsonl, line 1: no item of a history'),
  });
  expect(await join('missing.jsonl')).toMatchObject({
    code: 1,
    err: expect.stringContaining('missing.jsonl'),
  });
  expect(await join('.')).toMatchObject({ code: 1, err: expect.stringContaining('no regular file') });
});

it('continues after a kill, while the worker writes the same messages', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `m${index}`);
  await fill(copy, ids);
  await fill(here, ids.slice(0, 10));
  for (const failsAfter of [9, 17]) {
    const killed = await pipeline({ failsAfter })('history', 'join', ...fromTables(), '--confirm');
    expect(killed.code).toBe(1);
    expect(killed.err).toContain('The join is not complete. The same command continues it');
  }
  const { storeMessage } = worker(here);
  const [last] = await Promise.all([
    pipeline()('history', 'join', ...fromTables(), '--confirm'),
    ...ids.map((id) => storeMessage(report(id, 'e3', 'read', 6, { phone }))),
  ]);
  expect(last.code).toBe(0);
  for (const id of ids) await worker(copy).storeMessage(report(id, 'e3', 'read', 6, { phone }));
  expect(await stateOf(here)).toEqual(await stateOf(copy));
});

it('stops at a signal after the pages at hand', async () => {
  await fill(copy, ['a']);
  const stopped = await pipeline({ wait: async () => false })(
    'history',
    'join',
    ...fromTables(),
    '--confirm',
  );
  expect(stopped).toMatchObject({ code: 1, err: expect.stringContaining('Interrupted.') });
  expect((await pipeline()('history', 'join', ...fromTables(), '--confirm')).code).toBe(0);
  expect(await stateOf(here)).toEqual(await stateOf(copy));
});

it('leaves out what was received outside of the range, and what is older than the history keeps items', async () => {
  await fill(copy, ['a']);
  const old = report('old', 'e1', 'delivered', -401 * 86_400, { received: -401 * 86_400 });
  await worker(copy).storeMessage(old);
  const sms = pipeline();
  const counts = async (...options: string[]) =>
    JSON.parse((await sms('history', 'join', ...fromTables(), '--dry-run', '--json', ...options)).out).counts;
  expect((await counts()).message).toEqual({ added: 1, expired: 1 });
  expect((await counts('--since', at(51), '--until', at(60))).message).toEqual({ 'out-of-range': 2 });
  expect((await counts('--since', at(50), '--until', at(51))).message).toEqual({
    added: 1,
    'out-of-range': 1,
  });
});

it('repairs what a script spoiled, and --prefer-copy replaces what cannot be read', async () => {
  await fill(copy, ['a', 'b']);
  await pipeline()('history', 'join', ...fromTables(), '--confirm');
  const whole = await stateOf(here);
  for (const [pk, spoiled] of [
    ['message#a', { status: { S: 'failed' } }],
    ['message#b', { 'report#e2': { S: 'gone' } }],
    ['optout#+12025550143', { state: { S: 'in' } }],
  ] as const) {
    const Item = { ...whole.get(pk), ...spoiled, generation: { S: 'script' } };
    await here.client.send(new PutItemCommand({ TableName: here.history, Item }));
  }
  const first = await pipeline()('history', 'join', ...fromTables(), '--confirm');
  expect(first.code).toBe(1);
  expect(first.out).toContain('1 item cannot be read in this history and stays as it is');
  expect(first.out).toContain('broken: message#b');
  const second = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--prefer-copy');
  expect(second.code).toBe(0);
  const state = await stateOf(here);
  expect(new Map([...state].map(([pk, { generation: _, ...item }]) => [pk, item]))).toEqual(whole);
});

/** Writes items of the history `here` as a script may have left them. @param change returns undefined for items that it leaves as they are */
async function spoil(change: (item: Item) => Item | undefined): Promise<void> {
  for (const TableName of [here.history, here.quarantine])
    for (const item of await itemsOf(here, TableName)) {
      const Item = change(item);
      if (Item !== undefined) await here.client.send(new PutItemCommand({ TableName, Item }));
    }
}

const erasedPhone = '+12025550188';

/** Makes both histories equal, with the receipt of an erasure. */
async function fillBoth(): Promise<void> {
  await erase('one', erasedPhone);
  await fill(here, ['a']);
  await worker(here).keep(5, 'second');
  for (const name of ['history', 'quarantine'] as const)
    for (const Item of await itemsOf(here, here[name]))
      await copy.client.send(new PutItemCommand({ TableName: copy[name], Item }));
}

it('finds entries of the quarantine and receipts of erasures that a script changed, and --prefer-copy replaces them', async () => {
  await fillBoth();
  const whole = await stateOf(here);
  expect((await pipeline()('history', 'compare', ...fromTables())).out).toContain('Both copies are equal.');
  await spoil(({ body, person: _, ...item }) => {
    if (item.pk?.S === 'erasure#one') return { ...item, messages: { N: '0' }, finishedAt: { S: at(9) } };
    if (item.sk === undefined) return undefined;
    return body?.S === 'second' ? item : { ...item, body: { S: '' }, url: { S: 'https://spoiled.example' } };
  });
  const spoiled = await stateOf(here);
  const compared = await pipeline()('history', 'compare', ...fromTables(), '--json');
  expect(compared.code).toBe(1);
  expect(JSON.parse(compared.out).counts).toMatchObject({
    quarantined: { conflict: 1, broken: 1 },
    erasure: { broken: 1 },
  });
  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--json');
  expect(joined.code).toBe(1);
  expect(await stateOf(here)).toEqual(spoiled);

  const replaced = await pipeline()(
    'history',
    'join',
    ...fromTables(),
    '--confirm',
    '--prefer-copy',
    '--json',
  );
  expect(replaced).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse(replaced.out)).toMatchObject({
    counts: { quarantined: { conflict: 1, repaired: 1 }, erasure: { repaired: 1 } },
    written: 3,
  });
  expect(await stateOf(here)).toEqual(whole);
});

it('finds a receipt with other counts, which --prefer-copy replaces', async () => {
  await fillBoth();
  const whole = await stateOf(here);
  await spoil((item) => (item.pk?.S === 'erasure#one' ? { ...item, messages: { N: '7' } } : undefined));
  const join = (...options: string[]) =>
    pipeline()('history', 'join', ...fromTables(), '--confirm', ...options);
  expect((await join()).out).toContain('conflict: erasure#one');
  expect((await join('--prefer-copy')).code).toBe(0);
  expect(await stateOf(here)).toEqual(whole);
});

it('a comparison names what cannot be read and only this history has', async () => {
  await fillBoth();
  const strangers = [
    { pk: { S: 'message#junk' }, phone: { S: phone }, listName: { S: 'pending' }, listedAt: { S: at(1) } },
    { pk: { S: 'reply#junk' } },
    { pk: { S: 'optout#+12025550199' }, phone: { S: '+12025550199' }, state: { S: 'in' } },
    { pk: { S: 'erasure#junk' }, state: { S: 'done' }, person: { S: 'junk' } },
  ];
  const put = (TableName: string, Item: Item) => here.client.send(new PutItemCommand({ TableName, Item }));
  for (const Item of strangers) await put(here.history, Item);
  await put(here.quarantine, { pk: { S: '2026-01-15' }, sk: { S: 'junk' } });
  const compared = await pipeline()('history', 'compare', ...fromTables(), '--until', at(3600), '--json');
  expect(compared.code).toBe(1);
  const { isEqual, named, onlyHere } = JSON.parse(compared.out);
  expect(isEqual).toBe(false);
  expect(onlyHere).toEqual({ message: 1, reply: 1, 'opt-out': 1, quarantined: 1, erasure: 1 });
  expect(named).toEqual(
    expect.arrayContaining([
      { kind: 'message', key: 'message#junk', outcome: 'broken' },
      { kind: 'reply', key: 'reply#junk', outcome: 'broken' },
      { kind: 'opt-out', key: 'optout#+12025550199', outcome: 'broken' },
      { kind: 'quarantined', key: 'junk', outcome: 'broken' },
      { kind: 'erasure', key: 'erasure#junk', outcome: 'broken' },
    ]),
  );
  const stored = worker(here).record({ ...stop(9), phone: '+12025550199' });
  await expect(stored).rejects.toMatchObject({ name: 'UnreadableItemError' });
});

it('an opt-out and a receipt that a script let expire are kept again, by a join and by an extension', async () => {
  await fillBoth();
  const whole = await stateOf(here);
  const soon = { N: String(now / 1000 + 60) };
  const letExpire = () => spoil((item) => ({ ...item, expiresAt: soon }));
  const lasting = async () =>
    [...(await stateOf(here))].filter(
      ([key, item]) => item.expiresAt === undefined && /^(opt|era)/.test(key),
    );

  await letExpire();
  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--json');
  expect(JSON.parse(joined.out)).toMatchObject({
    counts: { 'opt-out': { repaired: 1 }, erasure: { repaired: 1 } },
    written: 2,
  });
  expect(await lasting()).toHaveLength(2);

  await letExpire();
  expect((await pipeline()('history', 'extend', '--confirm', '--json')).out).toContain('"extended": 4');
  const state = await stateOf(here);
  for (const [key, item] of whole) if (item.sk === undefined) expect(state.get(key)).toEqual(item);

  // The copy may be of a moment after the script.
  for (const Item of await itemsOf(here, here.history))
    await copy.client.send(
      new PutItemCommand({ TableName: copy.history, Item: { ...Item, expiresAt: soon } }),
    );
  await spoil((item) =>
    item.pk?.S?.startsWith('erasure#') === true ? { ...item, expiresAt: soon } : undefined,
  );
  await pipeline()('history', 'join', ...fromTables(), '--confirm');
  expect(await lasting()).toHaveLength(2);
});

it('names an entry of the quarantine about a person whose erasure only the copy knows', async () => {
  await fillBoth();
  const { keep } = worker(here);
  await keep(6, JSON.stringify({ to: erasedPhone }));
  await worker(copy).keep(6, JSON.stringify({ to: erasedPhone }));
  const joined = await pipeline()('history', 'join', ...fromTables(), '--dry-run', '--json');
  expect(JSON.parse(joined.out).counts.quarantined).toEqual({ equal: 2, 'still-here': 1 });
});

it('joins the others if a reply without an id of the service cannot be read here', async () => {
  const idIn = (period: number) => `${'A'.repeat(43)}.${period.toString(36)}`;
  await worker(copy).storeReply(replied(idIn(50), 'e1', 3));
  await fill(copy, ['a']);
  await fill(here, ['a']);
  for (const period of [49, 50, 51])
    await here.client.send(
      new PutItemCommand({ TableName: here.history, Item: { pk: { S: `reply#${idIn(period)}` } } }),
    );
  const joined = await pipeline()('history', 'join', ...fromTables(), '--dry-run', '--json');
  expect(JSON.parse(joined.out).counts).toMatchObject({
    message: { equal: 1 },
    reply: { equal: 1, broken: 1 },
  });
});

it('does not bring back who was erased, nor what mentions the number', async () => {
  await fill(copy, ['a', 'b']);
  await worker(copy).keep(5, '{"to":"001 (202) 555-0143"}');
  await worker(copy).keep(6, '', { query: 'to=%2B12025550143' });
  await worker(copy).keep(7, '', { path: 'm-17/+12025550143/delivered' });
  await pipeline()('history', 'join', ...fromTables(), '--confirm');
  const data = await beginErasure('one');

  const running = await pipeline()('history', 'join', ...fromTables(), '--confirm');
  expect(running).toMatchObject({ code: 1, err: expect.stringContaining('receipt one. Complete it first') });

  await data.erase({ phone, receiptId: 'one' });
  const erased = await stateOf(here);
  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--json');
  expect(JSON.parse(joined.out).counts).toMatchObject({
    message: { erased: 2 },
    'opt-out': { erased: 1 },
    quarantined: { erased: 3, equal: 1 },
  });
  expect(await stateOf(here)).toEqual(erased);

  const keyless = await pipeline({ keys: ['another key'] })('history', 'join', ...fromTables(), '--dry-run');
  expect(keyless.err).toContain(
    'warning: 1 erasure is known only by a key that the secret table/erasure-key lacks',
  );
});

it('names who was erased between an interruption and the end of a join', async () => {
  await fill(copy, ['a', 'b']);
  const killed = await pipeline({ failsAfter: 1 })('history', 'join', ...fromTables(), '--confirm');
  expect(killed.code).toBe(1);
  await erase('between');
  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm');
  expect(joined.code).toBe(1);
  expect(joined.out).toContain('Erase them once more: those of the receipt between.');
});

it('leaves out a person whose erasure only the copy knows, and names what is still here', async () => {
  await fill(here, ['a', 'b']);
  const sms = pipeline();
  await sms('history', 'export', '--out', 'before.jsonl');
  await erase('one');
  await sms('history', 'export', '--out', 'after.jsonl');
  for (const { pk = { S: '' } } of await itemsOf(here, here.history))
    await here.client.send(new DeleteItemCommand({ TableName: here.history, Key: { pk } }));
  const files = ['--from-file', 'before.jsonl', 'after.jsonl'];
  const joined = await sms('history', 'join', ...files, '--confirm', '--json');
  expect(JSON.parse(joined.out).counts).toMatchObject({
    message: { erased: 2 },
    'opt-out': { erased: 1 },
    erasure: { added: 1 },
  });
  expect((await stateOf(here)).has('message#a')).toBe(false);
  await fill(here, ['a']);
  const again = await sms('history', 'join', ...files, '--dry-run', '--json');
  expect(again.code).toBe(1);
  expect(JSON.parse(again.out).counts.message).toEqual({ erased: 1, 'still-here': 1 });
});

it('an export warns of an erasure that was done while it was interrupted', async () => {
  await fill(here, ['a']);
  await erase('before', '+12025550177');
  const whole = await pipeline()('history', 'export', '--out', 'whole.jsonl');
  expect(whole).toMatchObject({ code: 0, err: expect.not.stringContaining('warning') });
  const cut = await pipeline({ wait: async () => false })('history', 'export', '--out', 'cut.jsonl');
  expect(cut.code).toBe(1);
  await erase('between');
  const resumed = await pipeline()('history', 'export', '--out', 'cut.jsonl', '--resume');
  expect(resumed.code).toBe(0);
  expect(resumed.err).toContain('warning: 1 erasure was not complete when the export began');
});

it('leaves out a STOP that arrived after the range, although it was written in it', async () => {
  await worker(copy).record({ ...stop(5), receivedAt: at(3610) });
  for (const [until, outcome] of [
    [3605, 'out-of-range'],
    [3615, 'added'],
  ] as const) {
    const range = ['--until', at(until)];
    const joined = await pipeline()('history', 'join', ...fromTables(), ...range, '--dry-run', '--json');
    expect(JSON.parse(joined.out).counts['opt-out']).toEqual({ [outcome]: 1 });
  }
});

it('keeps a STOP that arrived again after an erasure, and no opt-in that was said before it', async () => {
  const again = { ...stop(5), receivedAt: at(3610) };
  await worker(copy).record(stop(5));
  await erase('one');
  const join = () => pipeline()('history', 'join', ...fromTables(), '--dry-run', '--json');
  expect(JSON.parse((await join()).out).counts['opt-out']).toEqual({ erased: 1 });
  await worker(copy).record({ ...again, state: 'in', at: at(6), replyId: 'late' });
  expect(JSON.parse((await join()).out).counts['opt-out']).toEqual({ erased: 1 });
  await worker(copy).record(again);
  expect(JSON.parse((await join()).out).counts['opt-out']).toEqual({ added: 1 });
});

it('keeps a STOP that arrived after an erasure, and in the range, although it was written before', async () => {
  await fill(here, ['a']);
  await erase('one');
  const sms = pipeline();
  for (const [received, range, outcome] of [
    [3590, [], 'erased'],
    [3610, [], 'added'],
    [3610, ['--since', at(3605)], 'added'],
    [3610, ['--since', at(3615)], 'out-of-range'],
  ] as const) {
    await worker(copy).record({ ...stop(5), replyId: `late-${received}`, receivedAt: at(received) });
    const joined = await sms('history', 'join', ...fromTables(), ...range, '--dry-run', '--json');
    expect(JSON.parse(joined.out).counts['opt-out']).toEqual({ [outcome]: 1 });
  }
});

it('reads over an entry of the quarantine whose body was cut off', async () => {
  await fill(copy, ['a']);
  const [entry] = await itemsOf(copy, copy.quarantine);
  const cut = {
    body: { S: gzipSync('x'.repeat(99)).subarray(0, 12).toString('base64') },
    bodyEncoding: { S: 'gzip+base64' },
  };
  const Item = {
    ...entry,
    ...cut,
    sk: { S: `${at(9)}#cut#body` },
    receivedAt: { S: at(9) },
    requestId: { S: 'cut' },
  };
  await copy.client.send(new PutItemCommand({ TableName: copy.quarantine, Item }));
  const joined = await pipeline()('history', 'join', ...fromTables(), '--confirm', '--json');
  expect(joined.code).toBe(1);
  expect(JSON.parse(joined.out).counts.quarantined).toEqual({ added: 1, unreadable: 1 });
});

it('says that a file was cut off also in the run that continues', async () => {
  await fill(copy, ['a']);
  const lines = (await itemsOf(copy, copy.history)).map((Item) => JSON.stringify({ Item }));
  writeFileSync('cut.jsonl', `${lines.join('\n')}\n`);
  const join = (ready: Parts) => pipeline(ready)('history', 'join', '--from-file', 'cut.jsonl', '--confirm');
  expect((await join({ failsAfter: 1 })).code).toBe(1);
  expect((await join({})).out).toContain('cut.jsonl has no last line "Complete"');
});

it('fails for a copy without items, and for a table that is no history', async () => {
  const join = () => pipeline()('history', 'join', '--from-table', copy.history, '--dry-run');
  expect(await join()).toMatchObject({ code: 1, out: expect.stringContaining('The copy has no items.') });
  const Item = { pk: { S: 'send#spring' }, sent: { N: '7' } };
  await copy.client.send(new PutItemCommand({ TableName: copy.history, Item }));
  expect(await join()).toMatchObject({
    code: 1,
    out: expect.stringContaining('The copy has 1 item, and none is a message'),
  });
});

it('refuses the tables of the pipeline itself', async () => {
  const sms = pipeline();
  const refused = await sms('history', 'join', '--from-table', here.history, '--confirm');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('is a table of this pipeline') });
  const unnamed = await sms('history', 'join', '--confirm');
  expect(unnamed).toMatchObject({
    code: 2,
    err: expect.stringContaining('--from-table or --from-file is required'),
  });
});

it('extends what is stored to a raised retention, and shortens nothing', async () => {
  await fill(here, ['a', 'b']);
  const before = await stateOf(here);
  const longer = { ...settings, retentionDays: 1000, optOutsBySource: false };
  const connection = {
    historyItems: () => createHistoryItems(here.client, here),
    historySettings: async () => longer,
  };
  const { sms } = commandLine({ connection, wait: async () => true, clock: () => now });
  expect((await sms('history', 'extend', '--dry-run')).out).toContain(
    '4 items expire earlier than 1000 days',
  );
  expect(await stateOf(here)).toEqual(before);
  expect((await sms('history', 'extend', '--confirm', '--json')).out).toContain('"extended": 4');
  const expected = [...before].map(([pk, item]) => {
    const seconds = Number(item.expiresAt?.N) + 600 * 86_400;
    return [
      pk,
      /^(message|reply)#/.test(pk) ? { ...item, expiresAt: { N: String(seconds) } } : item,
    ] as const;
  });
  expect(await stateOf(here)).toEqual(new Map(expected));
  expect((await sms('history', 'extend', '--confirm')).out).toBe('0 items are kept longer, of 4.\n');
  // An item may be erased, or be kept longer, after it was read.
  const { keepUntil } = await createHistoryItems(here.client, here);
  const keys = [...before.keys(), 'message#erased-meanwhile'].map((pk) => ({ pk: { S: pk } }));
  for (const key of keys) expect(await keepUntil(key, 1)).toBe('unchanged');
  expect(await stateOf(here)).toEqual(new Map(expected));
});
