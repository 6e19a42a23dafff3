import { createCipheriv, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEraser, indexLagMs } from '../../../cli/personal-data/eraser.ts';
import { numberFinder } from '../../../cli/personal-data/number-finder.ts';
import { createReceiptTable } from '../../../cli/personal-data/receipts.ts';
import { type PersonalRecord, viewPersonalRecord } from '../../../cli/personal-data/record.ts';
import { createPersonalDataSources, personalRecords } from '../../../cli/personal-data/sources.ts';
import { type CanonicalStatus, rankOf } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { sharedRepliesList } from '../../../functions/history/item-keys.ts';
import {
  type Message,
  mergeMessages,
  mergeReplies,
  messageOf,
  replyOf,
} from '../../../functions/history/message.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import {
  createQuarantine,
  quarantinedFromItem,
} from '../../../functions/receive/quarantine/quarantine-store.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

/** It is the mark of no person. */
const person = { number: '', spellings: [], key: '' };

const phone = '+12025550143';
const other = '+12025550144';
const receivedAt = '2026-01-15T12:00:00.000Z';
const now = Date.parse('2026-02-01T00:00:00.000Z');

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());
beforeEach(clear);

const at = (second: number) => new Date(Date.parse(receivedAt) + second * 1000).toISOString();

function message(id: string, to: string | undefined, ...statuses: CanonicalStatus[]): Message {
  return statuses
    .map((status, index) =>
      messageOf(
        {
          kind: 'sms.status',
          messageId: id,
          eventId: `${id}-${index}`,
          ...(to === undefined ? {} : { phone: to }),
          status,
          rank: rankOf(status),
          occurredAt: at(index),
        },
        at(index),
      ),
    )
    .reduce(mergeMessages);
}

const reply = (id: string, from: string, text: string, version = 1) =>
  replyOf(
    { kind: 'sms.reply', replyId: id, eventId: `${id}-${version}`, from, text, occurredAt: at(version) },
    at(version),
  );

/** The same bytes in every run, which no compression shortens. */
const incompressible = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
  Buffer.alloc(250_000),
);

/** How a service this pipeline does not understand may write the number. */
const foreign: readonly {
  readonly raw: string | Uint8Array;
  readonly index?: number;
  readonly url?: string;
  readonly query?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}[] = [
  { raw: '{"msisdn":12025550143}', index: 0 },
  { raw: '{"to":"(202) 555-0143"}', index: 1 },
  { raw: 'From=%2B1+202+555+0143&Body=hi' },
  { raw: JSON.stringify([{ to: phone }, { to: other }]) },
  { raw: Buffer.from(`<to>${phone}</to>`, 'utf16le') },
  // So large that it is kept compressed.
  { raw: JSON.stringify({ pad: 'x'.repeat(350_000), to: '1-202-555-0143' }) },
  // No UTF-8, so it is kept as base64.
  { raw: Buffer.concat([Buffer.from([0xff]), Buffer.from(`;${phone};`)]) },
  { raw: gzipSync('{"to":"(202) 555-0143"}') },
  // Both: the body is compressed, and so large that it is kept compressed.
  { raw: gzipSync(Buffer.concat([Buffer.from(`${phone};`), incompressible])) },
  { raw: `{"blob":"v1_${Buffer.from('2025550143').toString('base64url')}"}` },
  { raw: '{"to":"२०२ ५५५ ०१४३"}' },
  { raw: 'nothing in the body', query: 'to=%2B12025550143&ref=1' },
  { raw: 'nothing in the body', path: 'm-17/+12025550143/delivered' },
  { raw: 'nothing in the body', headers: { 'x-1-202-555-0143': 'yes' } },
  { raw: 'nothing in the body', url: 'https://example.com/webhooks/sms?to=%2B12025550143' },
];

function stores() {
  const { client, history, quarantine } = tables;
  const settings = { retentionDays: 400, listShards: 4 };
  return {
    writer: createHistoryWriter(client, history, settings),
    register: createOptOutRegister(client, history, { listShards: 4 }),
    quarantine: createQuarantine(client, quarantine, { retentionDays: 90, listShards: 4 }, 'rules'),
  };
}

const kept = { messages: 12, replies: 2, quarantined: foreign.length };

async function keepPerson(): Promise<void> {
  const { writer, register, quarantine } = stores();
  for (let index = 0; index < kept.messages - 2; index++)
    await writer.storeMessage(message(`m${index}`, phone, 'queued', 'sent', 'delivered'));
  await writer.storeMessage(message('open-1', phone, 'queued'));
  await writer.storeMessage(message('open-2', phone, 'sent'));
  await writer.storeReply(mergeReplies(reply('r1', phone, 'Stop'), reply('r1', phone, 'STOP', 2)));
  await writer.storeReply(reply('r2', phone, 'my sister has +1 202 555 0144'));
  await register.record({ phone, state: 'out', at: at(2), by: 'person', replyId: 'r1' });
  for (const [number, { raw, ...fields }] of foreign.entries())
    await quarantine.keep({
      reason: 'unknown-kind',
      receivedAt,
      requestId: `person-${number}`,
      raw: Buffer.from(raw),
      ...(fields.url !== undefined && { headers: { 'webhook-id': '7' } }),
      ...fields,
    });
}

const few = { message: 2, reply: 1, 'opt-out': 1, quarantined: 2 };

/** At least one record of each kind, and two where one call reads several. */
async function keepFew(): Promise<void> {
  const { writer, register, quarantine } = stores();
  await writer.storeMessage(message('few-1', phone, 'queued', 'delivered'));
  await writer.storeMessage(message('few-2', phone, 'sent'));
  await writer.storeReply(reply('few', phone, 'Stop'));
  await register.record({ phone, state: 'out', at: at(2), by: 'person', replyId: 'few' });
  for (const index of [0, 1])
    await quarantine.keep({
      reason: 'unknown-kind',
      receivedAt,
      requestId: 'few',
      raw: Buffer.from(`{"to":"${phone}"}`),
      index,
    });
}

async function keepOthers(): Promise<void> {
  const { writer, register, quarantine } = stores();
  await writer.storeMessage(message('theirs', other, 'sent', 'delivered'));
  await writer.storeMessage(message('unknown', undefined, 'sent'));
  await writer.storeReply(reply('their-reply', other, 'Stop'));
  await register.record({ phone: other, state: 'out', at: at(1), by: 'person', replyId: 'their-reply' });
  await quarantine.keep({
    reason: 'bad-field',
    receivedAt,
    requestId: 'theirs',
    raw: Buffer.from('{"to":12025550144,"id":"17684784050002025550143","at":"2026-01-15T12:02:05.550Z"}'),
  });
}

const rows = async (TableName: string) =>
  (await tables.client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];

/** Everything in all tables, by its key. */
async function everything(): Promise<Map<string, Record<string, AttributeValue>>> {
  const all = [...(await rows(tables.history)), ...(await rows(tables.quarantine))];
  return new Map(all.map((item) => [`${item.pk?.S} ${item.sk?.S ?? ''}`, item]));
}

async function clear(): Promise<void> {
  for (const { pk = { S: '' } } of await rows(tables.history))
    await tables.client.send(new DeleteItemCommand({ TableName: tables.history, Key: { pk } }));
  for (const { pk = { S: '' }, sk = { S: '' } } of await rows(tables.quarantine))
    await tables.client.send(new DeleteItemCommand({ TableName: tables.quarantine, Key: { pk, sk } }));
}

function personalData(client: DynamoDBClient = tables.client) {
  const sources = createPersonalDataSources(client, tables);
  const receipts = createReceiptTable(client, tables.history);
  return { sources, receipts, eraser: createEraser(client, sources, receipts, () => now, 0) };
}

async function recordsOf(number: string): Promise<PersonalRecord[]> {
  const found: PersonalRecord[] = [];
  for await (const record of personalRecords(personalData().sources, number)) found.push(record);
  return found;
}

const begun = (id: string, keepOptOut = false) => ({
  id,
  startedAt: receivedAt,
  toolVersion: '1.2.3',
  keepOptOut,
});

async function eraseWith(client: DynamoDBClient, receiptId: string, keepOptOut = false) {
  const { receipts, eraser } = personalData(client);
  if ((await receipts.read(receiptId)) === undefined)
    await receipts.begin(begun(receiptId, keepOptOut), person);
  return eraser.erase({ phone, receiptId });
}

/** Without receipts, and without what DynamoDB adds up. */
function withoutReceipts(all: Map<string, unknown>): Map<string, unknown> {
  return new Map([...all].filter(([key]) => !key.startsWith('erasure#')));
}

const complete = {
  message: kept.messages,
  reply: kept.replies,
  'opt-out': 1,
  quarantined: kept.quarantined,
};

/** A client whose n-th call fails, before the database hears of it or after it has done what was asked. */
function failingAt(call: number, when: 'before' | 'after'): DynamoDBClient {
  let calls = 0;
  return clientThat(async (_, next) => {
    calls += 1;
    if (calls === call && when === 'before') throw new Error('crash');
    const answer = await next();
    if (calls === call && when === 'after') throw new Error('crash');
    return answer;
  });
}

/**
 * The calls of one erasure, counted from 1: the first and the last of each kind. A crash after a read is the crash before the next
 * call, so after calls it is of writes only.
 */
async function callsToCrashAt(when: 'before' | 'after'): Promise<number[]> {
  const kinds: string[] = [];
  const client = clientThat(async (input, next) => {
    kinds.push(kindOfCall(input));
    return next();
  });
  await keepFew();
  await eraseWith(client, 'counted');
  client.destroy();
  return kinds.flatMap((kind, index) => {
    const isFirstOrLast = kinds.indexOf(kind) === index || kinds.lastIndexOf(kind) === index;
    const isWrite = /"(TransactItems|UpdateExpression|Item)":/.test(kind);
    return isFirstOrLast && (isWrite || when === 'before') ? [index + 1] : [];
  });
}

/** The input of a call without what differs between two calls of a kind: values, and the ids of items. */
function kindOfCall(input: unknown): string {
  return JSON.stringify(input, (name, value) => {
    if (name === 'ExpressionAttributeValues' || name === 'ExclusiveStartKey') return undefined;
    return typeof value === 'string' ? value.split('#')[0] : value;
  });
}

/** A client of these tables whose calls go through `handle`. */
function clientThat(handle: <T>(input: unknown, next: () => Promise<T>) => Promise<T>): DynamoDBClient {
  const client = new DynamoDBClient({ ...localClient(tables.endpoint), maxAttempts: 1 });
  client.middlewareStack.add((next) => (args) => handle(args.input, () => next(args)), {
    step: 'initialize',
    name: 'handle',
    priority: 'low',
  });
  return client;
}

it('the plan finds all records about a number, in any place and spelling', async () => {
  await keepOthers();
  await keepPerson();
  const found = await recordsOf(phone);
  const ids = (kind: PersonalRecord['kind']) => found.filter((record) => record.kind === kind);
  expect(ids('message')).toHaveLength(kept.messages);
  expect(ids('reply')).toHaveLength(kept.replies);
  expect(ids('opt-out')).toEqual([
    {
      kind: 'opt-out',
      change: { phone, state: 'out', at: at(2), by: 'person', replyId: 'r1' },
      statements: [{ phone, state: 'out', at: at(2), by: 'person', replyId: 'r1' }],
    },
  ]);
  const requests = ids('quarantined').map((record) =>
    record.kind === 'quarantined' ? record.entry.requestId : '',
  );
  expect(requests.sort()).toEqual(foreign.map((_, number) => `person-${number}`).sort());
  const views = found.map(viewPersonalRecord);
  expect(views).toContainEqual(
    expect.objectContaining({ text: 'STOP', olderVersions: [expect.objectContaining({ text: 'Stop' })] }),
  );
  for (const { url = null, query = null, path = null } of foreign)
    expect(views).toContainEqual(expect.objectContaining({ url, query, path }));
});

describe('data of more than one page of DynamoDB', () => {
  /** The history is read 100 records at a time. */
  const messages = 120;
  const messageIds = Array.from({ length: messages }, (_, index) => `many-${index}`);
  /** A page of a Scan has at most 1 MB. */
  const entries = 5;

  async function keepMany(): Promise<void> {
    const { writer, quarantine } = stores();
    for (const id of messageIds) await writer.storeMessage(message(id, phone, 'delivered'));
    for (let number = 0; number < entries; number++)
      await quarantine.keep({
        reason: 'unknown-kind',
        receivedAt,
        requestId: `large-${number}`,
        raw: Buffer.from(JSON.stringify({ pad: 'x'.repeat(290_000), to: phone })),
      });
  }

  it('is exported in full', async () => {
    await keepMany();
    const found = await recordsOf(phone);
    const ids = found.map((record) => (record.kind === 'message' ? record.message.messageId : record.kind));
    expect(ids.sort()).toEqual([...messageIds, ...Array<string>(entries).fill('quarantined')].sort());
  });

  it('is erased in full', async () => {
    await keepMany();
    const { receipt } = await eraseWith(tables.client, 'pages');
    expect(receipt.counts).toMatchObject({ message: messages, quarantined: entries });
    expect([...withoutReceipts(await everything()).keys()]).toEqual([]);
  });
});

describe('after an erasure', () => {
  it('the number is in no record, plain or compressed, and other numbers are unchanged', async () => {
    await keepOthers();
    const others = await everything();
    await keepPerson();
    const { receipt, mayGetReports } = await eraseWith(tables.client, 'one');
    expect(receipt).toEqual({
      ...begun('one'),
      state: 'done',
      finishedAt: new Date(now).toISOString(),
      counts: complete,
    });
    expect(mayGetReports).toBe(2);
    const left = await everything();
    expect(withoutReceipts(left)).toEqual(others);
    const isOurs = numberFinder(phone);
    for (const [key, item] of left) {
      expect([key, isOurs(JSON.stringify(item))]).toEqual([key, false]);
      if (item.body !== undefined)
        expect([key, isOurs(Buffer.from(quarantinedFromItem(item).raw).toString())]).toEqual([key, false]);
    }
    expect(await recordsOf(phone)).toEqual([]);
    expect(await recordsOf(other)).toHaveLength(4);
  });

  it('a repeated erasure leaves the receipt unchanged', async () => {
    await keepPerson();
    const { receipt } = await eraseWith(tables.client, 'twice');
    await stores().writer.storeMessage(message('new', phone, 'sent'));
    expect(await eraseWith(tables.client, 'twice')).toEqual({ receipt, mayGetReports: 0, leftOptOuts: 0 });
    expect(await recordsOf(phone)).toHaveLength(1);
  });

  it('an erasure under an unknown receipt is rejected', async () => {
    await expect(personalData().eraser.erase({ phone, receiptId: 'none' })).rejects.toMatchObject({
      name: 'ErasureError',
    });
  });
});

it.each(['before', 'after'] as const)(
  'a crash %s a call is repaired by the next run, and each deletion is counted once',
  async (when) => {
    await keepOthers();
    const others = await everything();
    const calls = await callsToCrashAt(when);
    expect(calls.length).toBeGreaterThan(3);
    for (const call of calls) {
      await keepFew();
      const id = randomUUID();
      const client = failingAt(call, when);
      await expect(eraseWith(client, id)).rejects.toThrow('crash');
      client.destroy();
      const { receipt } = await eraseWith(tables.client, id);
      expect([call, receipt]).toEqual([call, expect.objectContaining({ state: 'done', counts: few })]);
      expect(withoutReceipts(await everything())).toEqual(others);
    }
  },
);

it('an interrupted erasure is completed by another run with its own receipt', async () => {
  await keepPerson();
  let transactions = 0;
  const crashing = clientThat(async (input, next) => {
    if (kindOfCall(input).includes('TransactItems')) transactions += 1;
    if (transactions === 2) throw new Error('crash');
    return next();
  });
  await expect(eraseWith(crashing, 'first')).rejects.toThrow('crash');
  const { receipt } = await eraseWith(tables.client, 'second');
  expect(await recordsOf(phone)).toEqual([]);
  const first = await personalData().receipts.read('first');
  expect(first).toMatchObject({ state: 'running', counts: { message: 7, reply: 2 } });
  expect(receipt.counts.message + (first?.counts.message ?? 0)).toBe(kept.messages);
});

it('an erasure keeps an item that has changed to another number in the meantime', async () => {
  await stores().writer.storeMessage(message('moved', phone, 'sent'));
  const { sources, receipts } = personalData();
  const lagging = {
    ...sources,
    async *history(number: string) {
      for await (const record of sources.history(number)) {
        // Of two numbers in the reports of one message the smaller one is kept.
        await stores().writer.storeMessage({
          ...message('moved', '+12025550101', 'sent', 'delivered'),
        });
        yield record;
      }
    },
  };
  await receipts.begin(begun('lag'), person);
  const eraser = createEraser(tables.client, lagging, receipts, () => now, 0);
  const { receipt } = await eraser.erase({ phone, receiptId: 'lag' });
  expect(receipt.counts.message).toBe(0);
  expect(await recordsOf('+12025550101')).toHaveLength(1);
});

it('an erasure waits for the index, reports that it waits, and is incomplete until then', async () => {
  const { sources, receipts } = personalData();
  const { writer } = stores();
  const steps: unknown[] = [];
  let isBehind = true;
  const lagging = {
    ...sources,
    async *history(number: string) {
      steps.push('history');
      if (!isBehind) yield* sources.history(number);
    },
    async *quarantine(number: string) {
      steps.push('quarantine');
      yield* sources.quarantine(number);
    },
  };
  await writer.storeMessage(message('late', phone, 'sent'));
  await receipts.begin(begun('lag'), person);
  const pause = async (milliseconds: number) => {
    steps.push(milliseconds, (await receipts.read('lag'))?.state);
    isBehind = false;
  };
  const eraser = createEraser(tables.client, lagging, receipts, () => now, indexLagMs, pause);
  const { receipt } = await eraser.erase({ phone, receiptId: 'lag' }, (milliseconds) =>
    steps.push(`waits ${milliseconds}`),
  );
  expect(steps).toEqual(['history', 'quarantine', 'waits 10000', 10_000, 'running', 'history', 'history']);
  expect(receipt).toMatchObject({ state: 'done', counts: { message: 1 } });
  expect(await recordsOf(phone)).toEqual([]);
});

it('an erasure uses strongly consistent reads for items, and reads the quarantine once', async () => {
  await keepPerson();
  const calls: unknown[] = [];
  const client = clientThat(async (input, next) => {
    calls.push(input);
    return next();
  });
  await eraseWith(client, 'calls');
  client.destroy();
  const batches = calls.filter((input) => JSON.stringify(input).includes('RequestItems'));
  expect(batches.length).toBeGreaterThan(0);
  for (const batch of batches)
    expect(batch).toMatchObject({ RequestItems: { [tables.history]: { ConsistentRead: true } } });
  const scans = calls.filter((input) =>
    JSON.stringify(input).startsWith(`{"TableName":"${tables.quarantine}"`),
  );
  expect(scans).toHaveLength(1);
});

it('a resumed erasure keeps the opt-out if its first run did', async () => {
  await keepPerson();
  await personalData().receipts.begin(begun('kept', true), person);
  const { receipt } = await eraseWith(tables.client, 'kept');
  expect(receipt).toMatchObject({ keepOptOut: true, counts: { 'opt-out': 0 } });
  expect((await recordsOf(phone)).map(({ kind }) => kind)).toEqual(['opt-out']);
});

it('the export of a number omits versions of a reply that came from another number', async () => {
  const { writer } = stores();
  await writer.storeReply(
    mergeReplies(
      mergeReplies(reply('mixed', other, 'my secret'), reply('mixed', phone, 'mine', 2)),
      reply('mixed', phone, 'mine too', 3),
    ),
  );
  const [view] = (await recordsOf(phone)).map(viewPersonalRecord);
  expect(view).toMatchObject({ text: 'mine too', olderVersions: [{ from: phone, text: 'mine' }] });
  expect(JSON.stringify(view)).not.toContain('my secret');
});

describe('a reply of which another number has the newest version', () => {
  const third = '+12025550145';
  const textsIn = async () => (await rows(tables.history)).map((item) => JSON.stringify(item)).join('\n');

  async function keepShared(own: string = phone): Promise<void> {
    const { writer } = stores();
    await writer.storeReply(reply('shared', own, 'of the person'));
    await writer.storeReply(reply('shared', third, 'of a third person', 2));
    await writer.storeReply(reply('shared', other, 'of another person', 3));
  }

  it.each([phone, '2025550143', '(202) 555-0143'])('is found by each of its numbers: %s', async (written) => {
    await keepShared(written);
    const [view, ...more] = (await recordsOf(phone)).map(viewPersonalRecord);
    expect(view).toMatchObject({ kind: 'reply', text: 'of the person', olderVersions: [] });
    expect(more).toEqual([]);
    for (const number of [other, third]) expect(await recordsOf(number)).toHaveLength(1);
  });

  it.each([
    ['an older version', 'shared'],
    ['the newest version', 'newest'],
  ])('loses only %s, if its person is erased', async (_, id) => {
    const { writer } = stores();
    await keepShared();
    await writer.storeReply(reply('newest', other, 'of another person'));
    await writer.storeReply(reply('newest', phone, 'of the person', 2));
    const { receipt } = await eraseWith(tables.client, `version-${id}`);
    expect(receipt.counts.reply).toBe(2);
    const left = await textsIn();
    expect([left.includes('of the person'), left.includes('5550143')]).toEqual([false, false]);
    expect(await recordsOf(phone)).toEqual([]);
    expect(await recordsOf(other)).toHaveLength(2);
    expect(await recordsOf(third)).toHaveLength(1);
    const item = (await rows(tables.history)).find(({ pk }) => pk?.S === `reply#${id}`);
    expect(item).toMatchObject({ phone: { S: other }, quiet: { BOOL: true } });
  });

  it('is erased too if a version arrives in between', async () => {
    await keepShared();
    let writes = 0;
    const client = clientThat(async (input, next) => {
      if (JSON.stringify(input).includes('TransactItems') && writes++ === 0)
        await stores().writer.storeReply(reply('shared', third, 'late', 4));
      return next();
    });
    await eraseWith(client, 'version-race');
    client.destroy();
    expect(await recordsOf(phone)).toEqual([]);
    expect(await textsIn()).not.toContain('of the person');
    expect(await textsIn()).toContain('late');
  });
});

it('a version of another person that arrives during an erasure stays, also if it is older', async () => {
  await stores().writer.storeReply(reply('late-older', phone, 'of the person', 5));
  let writes = 0;
  const client = clientThat(async (input, next) => {
    if (JSON.stringify(input).includes('TransactItems') && writes++ === 0)
      await stores().writer.storeReply(reply('late-older', other, 'of another person', 1));
    return next();
  });
  await eraseWith(client, 'older-race');
  client.destroy();
  expect(await recordsOf(phone)).toEqual([]);
  const [view] = (await recordsOf(other)).map(viewPersonalRecord);
  expect(view).toMatchObject({ kind: 'reply', text: 'of another person' });
});

it('a shared reply of others that cannot be read stops no erasure', async () => {
  await stores().writer.storeReply(reply('own', phone, 'of the person'));
  await tables.client.send(
    new PutItemCommand({
      TableName: tables.history,
      Item: {
        pk: { S: 'reply#broken' },
        sendList: { S: sharedRepliesList },
        firstSeenAt: { S: at(1) },
        from: { S: other },
      },
    }),
  );
  await eraseWith(tables.client, 'beside-a-broken-one');
  expect(await recordsOf(phone)).toEqual([]);
});

it('a message has no number under which an erasure does not find it', async () => {
  const { writer } = stores();
  const of = (to: string, second: number, importId?: string) =>
    messageOf(
      {
        kind: 'sms.status',
        messageId: 'two',
        eventId: `e-${second}`,
        phone: to,
        unread: { recipient: to, price: 'free' },
        status: 'sent',
        rank: rankOf('sent'),
        occurredAt: at(second),
      },
      at(second),
      importId,
    );
  await writer.storeMessage(of(other, 1));
  await writer.storeMessage(of('2025550143', 2));
  await writer.storeMessage(of('(202) 555-0143', 3, 'imp-1'));
  await writer.storeMessage(of('2025550144', 4, 'imp-2'));
  const [item] = await rows(tables.history);
  expect(numberFinder(phone)(JSON.stringify(item))).toBe(false);
  expect(item).toMatchObject({
    phone: { S: other },
    importedBy: { M: { 'imp-2': { M: { phone: { S: '2025550144' } } } } },
    'report#e-2': { M: { unread: { M: { price: { S: 'free' } } } } },
  });
});

describe('a deletion that DynamoDB refuses', () => {
  /** The codes of each try: of the one record, and of the receipt. */
  async function eraseAgainst(...tries: readonly string[][]) {
    await stores().writer.storeMessage(message('one', phone, 'sent'));
    const pauses: number[] = [];
    let deletions = 0;
    const client = clientThat(async (input, next) => {
      if (!JSON.stringify(input).startsWith('{"TransactItems"')) return next();
      const codes = tries[deletions++];
      if (codes === undefined) return next();
      throw new TransactionCanceledException({
        $metadata: {},
        message: 'cancelled',
        CancellationReasons: codes.map((Code) => ({ Code })),
      });
    });
    const { sources, receipts } = personalData(client);
    await receipts.begin(begun('refused'), person);
    const eraser = createEraser(
      client,
      sources,
      receipts,
      () => now,
      0,
      async (ms) => pauses.push(ms),
    );
    const outcome = await eraser.erase({ phone, receiptId: 'refused' }).then(
      ({ receipt }) => receipt.counts.message,
      (error: Error) => `${error.name}: ${error.message}`,
    );
    client.destroy();
    return { outcome, pauses, deletions };
  }

  it.each(['TransactionConflict', 'ThrottlingError'])(
    'with a transient error (%s) is retried',
    async (code) => {
      const { outcome, pauses, deletions } = await eraseAgainst([code, 'None'], ['None', code]);
      expect([outcome, pauses.length, deletions]).toEqual([1, 2, 3]);
    },
  );

  it('with a permanent error fails with its code', async () => {
    const { outcome, pauses, deletions } = await eraseAgainst(['ValidationError', 'None']);
    expect([pauses, deletions]).toEqual([[], 1]);
    expect(outcome).toBe('ErasureError: DynamoDB rejects a deletion (ValidationError)');
  });

  it('repeatedly fails after the last retry', async () => {
    const tries = Array.from({ length: 100 }, () => ['TransactionConflict', 'None']);
    const { outcome, pauses } = await eraseAgainst(...tries);
    expect(outcome).toContain('still being written');
    expect(pauses).toHaveLength(7);
  });
});

it('two concurrent runs under one receipt count each deletion once', async () => {
  await keepPerson();
  await personalData().receipts.begin(begun('race'), person);
  await Promise.allSettled([eraseWith(tables.client, 'race'), eraseWith(tables.client, 'race')]);
  expect(await recordsOf(phone)).toEqual([]);
  expect(await personalData().receipts.read('race')).toMatchObject({ state: 'done', counts: complete });
});
