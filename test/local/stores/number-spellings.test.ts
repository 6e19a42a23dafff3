import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEraser } from '../../../cli/personal-data/eraser.ts';
import { createReceiptTable } from '../../../cli/personal-data/receipts.ts';
import { type PersonalRecord, summarizeRecord } from '../../../cli/personal-data/record.ts';
import { createPersonalDataSources, personalRecords } from '../../../cli/personal-data/sources.ts';
import { rankOf } from '../../../contract/schema/sms-event.ts';
import { createOptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import {
  createHistoryLists,
  type HistoryLists,
} from '../../../functions/history/lists/history-list-store.ts';
import { type Message, messageOf, replyOf } from '../../../functions/history/message.ts';
import type { OptOutChange } from '../../../functions/history/opt-out/opt-out.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

/** It is the mark of no person. */
const person = { number: '', spellings: [], key: '' };

const now = Date.parse('2026-02-01T00:00:00.000Z');
const settings = { retentionDays: 400, listShards: 4 };
const at = (second: number) => `2026-01-15T12:00:${String(second).padStart(2, '0')}.000Z`;

let tables: HistoryTables;
let lists: HistoryLists;
beforeAll(async () => {
  tables = await startHistoryTables();
  lists = createHistoryLists(tables.client, tables.history, 4);
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
  createOptOutRegister(tables.client, tables.history, { listShards: 4 }).record(change);
const optOut = (phone: string, state: 'out' | 'in', second: number): OptOutChange => ({
  phone,
  state,
  at: at(second),
  by: 'person',
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
  await receipts.begin({ id: 'one', startedAt: at(0), toolVersion: '1.2.3', keepOptOut: false }, person);
  const eraser = createEraser(tables.client, sources, receipts, () => now, 0);
  const { receipt } = await eraser.erase({ phone, receiptId: 'one' });
  return receipt.counts;
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

describe('a number that no numbering plan has, which the service writes with and without "+"', () => {
  const [phone, digits] = ['+999123456789', '999123456789'];

  it('has two timelines, because the digits may be another number, and one erasure', async () => {
    await store(report('m-1', phone, 1));
    await storeReply(reply('r-1', digits, 2));
    await record(optOut(digits, 'out', 3));
    expect(await timeline(phone)).toEqual(['m-1']);
    expect(await timeline(digits)).toEqual(['r-1']);
    expect(await optedOut()).toEqual([digits]);
    expect(await exported(phone)).toHaveLength(3);
    expect(await erase(phone)).toMatchObject({ message: 1, reply: 1, 'opt-out': 0 });
    expect(await optedOut()).toEqual([digits]);
  });
});

describe('a number without its country code', () => {
  async function storeAll(spelling: string) {
    await store(report('m-1', spelling, 1));
    await storeReply(reply('r-1', spelling, 2));
    await record(optOut(spelling, 'out', 3));
  }

  it.each(['(202) 555-0143', '2025550143'])(
    'as %s, is erased except its opt-out, and the plan shows that the country is unknown',
    async (spelling) => {
      await storeAll(spelling);
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

  it.each(['2025550143', '(202) 555-0143', '40404'])(
    'as %s, is found and erased when it is requested as written',
    async (spelling) => {
      await storeAll(spelling);
      expect(await timeline(spelling)).toEqual(['m-1', 'r-1']);
      expect(await erase(spelling)).toMatchObject({ message: 1, reply: 1, 'opt-out': 1 });
      expect(await optedOut()).toEqual([]);
    },
  );

  it('does not reach the number of another country with the same digits', async () => {
    const egyptian = '+2025550143';
    await storeAll(egyptian);
    for (const phone of ['+12025550143', '2025550143']) {
      expect(await exported(phone)).toEqual([]);
      expect(await erase(phone)).toMatchObject({ message: 0, reply: 0, 'opt-out': 0 });
      await tables.client.send(
        new DeleteItemCommand({ TableName: tables.history, Key: { pk: { S: 'erasure#one' } } }),
      );
    }
    expect(await timeline(egyptian)).toEqual(['m-1', 'r-1']);
    expect(await optedOut()).toEqual([egyptian]);
  });
});
