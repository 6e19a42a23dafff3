import { DeleteItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEraser } from '../../../cli/personal-data/eraser.ts';
import { createReceiptTable } from '../../../cli/personal-data/receipts.ts';
import { type PersonalRecord, summarizeRecord } from '../../../cli/personal-data/record.ts';
import { createPersonalDataSources, personalRecords } from '../../../cli/personal-data/sources.ts';
import { rankOf } from '../../../contract/schema/sms-event.ts';
import { createOptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { type Message, messageOf, replyOf } from '../../../functions/history/message.ts';
import { numberKey } from '../../../functions/history/reply-item.ts';
import { createHistoryLists, type HistoryLists } from '../../../functions/lists/history-list-store.ts';
import { createOptOutRegister, type OptOutChange } from '../../../functions/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { formatOneMessage, formatOneReply } from '../../support/format-one-items.ts';

const now = Date.parse('2026-02-01T00:00:00.000Z');
const settings = { retentionDays: 400, worklistShards: 4 };
const at = (second: number) => `2026-01-15T12:00:${String(second).padStart(2, '0')}.000Z`;

let tables: HistoryTables;
let lists: HistoryLists;
beforeAll(async () => {
  tables = await startHistoryTables();
  lists = createHistoryLists(tables.client, tables, 4);
});
afterAll(() => tables.stop());
beforeEach(async () => {
  for (const { pk = '' } of await items())
    await tables.client.send(new DeleteItemCommand({ TableName: tables.history, Key: { pk: { S: pk } } }));
});

async function items() {
  const { Items = [] } = await tables.client.send(
    new ScanCommand({ TableName: tables.history, ConsistentRead: true }),
  );
  return Items.map((item) => unmarshall(item));
}

function report(messageId: string, phone: string, second: number): Message {
  const event = { kind: 'sms.status', status: 'sent', rank: rankOf('sent'), occurredAt: at(second) } as const;
  return messageOf({ ...event, messageId, eventId: `${messageId}-${second}`, phone }, at(second));
}

const reply = (replyId: string, from: string, second: number) =>
  replyOf(
    { kind: 'sms.reply', replyId, eventId: `${replyId}-1`, from, text: 'Stop', occurredAt: at(second) },
    at(second),
  );

const store = (message: Message) =>
  createHistoryWriter(tables.client, tables.history, settings).storeMessage(message);
const storeReply = (one: ReturnType<typeof reply>) =>
  createHistoryWriter(tables.client, tables.history, settings).storeReply(one);
const record = (change: OptOutChange) =>
  createOptOutRegister(tables.client, tables.history, 4).record(change);
const optOut = (phone: string, state: 'out' | 'in', second: number): OptOutChange => ({
  phone,
  state,
  at: at(second),
  replyId: `reply-${second}`,
});

async function timeline(phone: string): Promise<string[]> {
  const { entries } = await lists.phone({ phone }, { limit: 100 });
  return entries
    .map((entry) => (entry.kind === 'reply' ? entry.reply.replyId : entry.message.messageId))
    .sort();
}

async function optedOut(): Promise<string[]> {
  const { entries } = await lists.optOuts({}, { limit: 100 });
  return entries.map(({ phone }) => phone);
}

async function exported(phone: string): Promise<PersonalRecord[]> {
  const found: PersonalRecord[] = [];
  const sources = createPersonalDataSources(tables.client, tables);
  for await (const one of personalRecords(sources, phone)) found.push(one);
  return found;
}

async function erase(phone: string) {
  const sources = createPersonalDataSources(tables.client, tables);
  const receipts = createReceiptTable(tables.client, tables.history);
  await receipts.begin({ id: 'one', startedAt: at(0), toolVersion: '1.2.3', keepOptOut: false });
  const eraser = createEraser(tables.client, sources, receipts, () => now, 0);
  const { receipt } = await eraser.erase({ phone, receiptId: 'one' });
  return receipt.counts;
}

/** Stores things as the version before did: the spelling is the key. */
async function keepAsBefore(spelling: string, name: string, state: 'out' | 'in', second: number) {
  const { number: _message, ...message } = formatOneMessage(report(`message-${name}`, spelling, second), 4);
  const oldReply = formatOneReply(reply(`reply-${name}`, spelling, second), 4);
  for (const Item of [message, oldReply])
    await tables.client.send(
      new PutItemCommand({ TableName: tables.history, Item: { ...Item, phone: { S: spelling } } }),
    );
  await tables.client.send(
    new PutItemCommand({
      TableName: tables.history,
      Item: {
        ...{ pk: { S: `optout#${spelling}` }, number: { S: spelling }, state: { S: state } },
        ...{ changedAt: { S: at(second) }, replyId: { S: `reply-${name}` } },
        ...(state === 'out' ? { worklist: { S: 'optout#0' }, listedAt: { S: at(second) } } : {}),
      },
    }),
  );
}

const notations = [
  ['Mexico', '+525512345678', '+5215512345678'],
  ['Argentina', '+5491123456789', '+541123456789'],
  ['Brazil', '+5511987654321', '+551187654321'],
] as const;

describe.each(notations)('a number in %s', (_, current, other) => {
  it('has one timeline, one opt-out and one erasure in every notation', async () => {
    await store(report('m-1', current, 1));
    await store(report('m-2', other, 2));
    await storeReply(reply('r-1', other, 3));
    await record(optOut(other, 'out', 4));
    for (const phone of [current, other]) {
      expect(await timeline(phone)).toEqual(['m-1', 'm-2', 'r-1']);
      expect(await createOptOutReader(tables.client, tables.history).read(phone)).toMatchObject({
        state: 'out',
      });
      expect(await exported(phone)).toHaveLength(4);
    }
    await record(optOut(current, 'in', 5));
    expect(await optedOut()).toEqual([]);
    expect(await erase(current)).toMatchObject({ message: 2, reply: 1, 'opt-out': 1 });
    expect((await items()).map(({ pk }) => pk)).toEqual(['erasure#one']);
  });
});

describe('data of the previous version', () => {
  it.each([
    ['the other notation', '+525512345678', '+5215512345678'],
    ['the old notation behind 00', '+525512345678', '005215512345678'],
    ['digits alone', '+525512345678', '5215512345678'],
    ['a tel: URI with dashes', '+12025550143', 'tel:+1-202-555-0143'],
    ['the prefix 00 with spaces', '+12025550143', '00 1 202 555 0143'],
    ['the old notation with spaces', '+525512345678', '+52 1 55 1234 5678'],
  ])('under %s is found and erased', async (_, phone, spelling) => {
    await keepAsBefore(spelling, 'old', 'out', 1);
    await store(report('new', phone, 2));
    expect(await timeline(phone)).toEqual(['message-old', 'new', 'reply-old']);
    expect(await createOptOutReader(tables.client, tables.history).read(phone)).toMatchObject({
      state: 'out',
    });
    expect(await exported(phone)).toHaveLength(4);
    expect(await erase(phone)).toMatchObject({ message: 2, reply: 1, 'opt-out': 1 });
    expect((await items()).map(({ pk }) => pk)).toEqual(['erasure#one']);
  });

  it.each(['(202) 555-0143', '2025550143'])(
    'as %s, without a country, is erased except its opt-out, and the plan shows that the country is unknown',
    async (spelling) => {
      await keepAsBefore(spelling, 'old', 'out', 1);
      const found = await exported('+12025550143');
      expect(found.map((one) => summarizeRecord(one, now))).toEqual([
        expect.objectContaining({ kind: 'reply', withoutCountryCode: true }),
        expect.objectContaining({ kind: 'message', withoutCountryCode: true }),
        expect.objectContaining({ kind: 'opt-out', withoutCountryCode: true, note: 'stays' }),
      ]);
      expect(await timeline('+12025550143')).toEqual([]);
      expect(await erase('+12025550143')).toMatchObject({ message: 1, reply: 1, 'opt-out': 0 });
      expect(await optedOut()).toEqual([spelling]);
    },
  );

  it.each(['2025550143', 'tel:+12025550143;ext=5'])(
    'as %s is found and erased when the number is requested as written',
    async (spelling) => {
      await keepAsBefore(spelling, 'old', 'out', 1);
      expect(await timeline(spelling)).toEqual(['message-old', 'reply-old']);
      expect(await erase(spelling)).toMatchObject({ message: 1, reply: 1, 'opt-out': 1 });
      expect(await optedOut()).toEqual([]);
    },
  );

  it('moves to the key with the next report', async () => {
    await keepAsBefore('+5215512345678', 'old', 'in', 1);
    await store(report('message-old', '+525512345678', 2));
    const [message] = (await items()).filter(({ pk }) => pk === 'message#message-old');
    expect(message).toMatchObject({ n: numberKey('+525512345678') });
    expect(message).not.toHaveProperty('phone');
  });

  it('the newest of several opt-outs of a number counts under any key, and is listed once', async () => {
    const reader = createOptOutReader(tables.client, tables.history);
    await keepAsBefore('+5215512345678', 'old', 'out', 3);
    await record(optOut('+525512345678', 'in', 1));
    expect(await reader.read('+525512345678')).toMatchObject({ state: 'out' });
    expect(await optedOut()).toEqual(['+5215512345678']);
    await record(optOut('+525512345678', 'out', 4));
    expect(await optedOut()).toEqual(['+525512345678']);
    await record(optOut('+525512345678', 'in', 5));
    expect(await reader.read('+5215512345678')).toMatchObject({ state: 'in' });
    expect(await optedOut()).toEqual([]);
  });

  it.each([
    ['in the other notation', '+525512345678', '+5215512345678'],
    ['as a tel: URI with dashes', '+12025550143', 'tel:+1-202-555-0143'],
    ['as digits alone', '+525512345678', '5215512345678'],
  ])('an old opt-out %s remains after a late copy of START', async (_, phone, spelling) => {
    await keepAsBefore(spelling, 'old', 'out', 3);
    await record(optOut(phone, 'in', 1));
    const stored = (await items()).find(({ pk }) => pk === `optout#${phone}`);
    expect(stored).toMatchObject({
      ...{ state: 'out', number: spelling, changedAt: at(3), replyId: 'reply-old', listedAt: at(3) },
      statements: [{ replyId: 'reply-old' }, { replyId: 'reply-1', phone }],
    });
    expect(await optedOut()).toEqual([spelling]);
    await record(optOut(phone, 'in', 4));
    expect((await items()).find(({ pk }) => pk === `optout#${phone}`)).toMatchObject({
      ...{ state: 'in', number: phone },
      statements: [{ replyId: 'reply-4' }, { replyId: 'reply-old' }, { replyId: 'reply-1' }],
    });
    expect(await optedOut()).toEqual([]);
  });
});
