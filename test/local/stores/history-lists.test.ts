import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CanonicalStatus, rankOf } from '../../../contract/schema/sms-event.ts';
import { messageKey } from '../../../functions/history/history-item-store.ts';
import { createHistoryWriter, type HistoryWriter } from '../../../functions/history/history-write-store.ts';
import { type Message, messageOf, replyOf, type TimelineEntry } from '../../../functions/history/message.ts';
import { CursorError } from '../../../functions/lists/cursor.ts';
import { createHistoryLists, type HistoryLists } from '../../../functions/lists/history-list-store.ts';
import type { Page, PageRequest } from '../../../functions/lists/time-range.ts';
import { createOptOutRegister } from '../../../functions/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

const settings = { retentionDays: 400, worklistShards: 4 };

let tables: HistoryTables;
let writer: HistoryWriter;
let lists: HistoryLists;

beforeAll(async () => {
  tables = await startHistoryTables();
  writer = createHistoryWriter(tables.client, tables.history, settings);
  lists = createHistoryLists(tables.client, tables.history, settings.worklistShards);
});
afterAll(() => tables.stop());

const start = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const idOf = ({ messageId }: Message) => messageId;

interface Facts {
  readonly phone?: string;
  readonly sendId?: string;
  readonly firstSeen?: number;
}

function report(messageId: string, status: CanonicalStatus, second: number, facts: Facts = {}): Message {
  const { firstSeen = second, ...rest } = facts;
  const event = { messageId, eventId: `${messageId}-${status}`, status, rank: rankOf(status), ...rest };
  return messageOf({ kind: 'sms.status', ...event, occurredAt: at(second) }, at(firstSeen));
}

function reply(replyId: string, second: number, from = '+12025550143') {
  const event = { kind: 'sms.reply', replyId, eventId: `e-${replyId}`, from, text: 'yes' } as const;
  return replyOf({ ...event, occurredAt: at(second) }, at(second + 1));
}

async function readAll<T>(read: (page: PageRequest) => Promise<Page<T>>, limit = 3): Promise<T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.entries);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

function timelineIds(entries: readonly TimelineEntry[]): string[] {
  return entries.map((entry) => (entry.kind === 'reply' ? entry.reply.replyId : entry.message.messageId));
}

describe('the timeline of a number', () => {
  const phone = '+12025550177';
  const ask = (query: object) => readAll((page) => lists.phone({ phone, ...query }, page));

  beforeAll(async () => {
    for (let second = 0; second < 10; second++)
      await writer.storeMessage(
        report(`t${second}`, second % 2 === 0 ? 'sent' : 'failed', second, { phone }),
      );
    await writer.storeReply(reply('t-reply', 4.5, phone));
    await writer.storeMessage(report('t-other', 'sent', 3, { phone: '+12025550178' }));
  });

  it('holds messages and replies, newest first', async () => {
    expect(timelineIds(await ask({}))).toEqual([
      't9',
      't8',
      't7',
      't6',
      't5',
      't-reply',
      't4',
      't3',
      't2',
      't1',
      't0',
    ]);
  });

  it('is listed for a range of time without its end', async () => {
    expect(timelineIds(await ask({ since: at(4), until: at(6) }))).toEqual(['t5', 't-reply', 't4']);
  });

  it('can be restricted to messages with given statuses', async () => {
    expect(timelineIds(await ask({ statuses: ['failed'] }))).toEqual(['t9', 't7', 't5', 't3', 't1']);
    expect(timelineIds(await ask({ statuses: ['failed', 'sent'], since: at(7) }))).toEqual([
      't9',
      't8',
      't7',
    ]);
  });

  it('is empty for an unknown number', async () => {
    expect(await lists.phone({ phone: '+12025550179' }, { limit: 1 })).toEqual({ entries: [] });
  });

  it('rejects a cursor of another number or filter', async () => {
    const { next = '' } = await lists.phone({ phone }, { limit: 2 });
    for (const query of [{ phone: '+12025550178' }, { phone, statuses: ['sent'] as const }])
      await expect(lists.phone(query, { limit: 2, cursor: next })).rejects.toThrow(CursorError);
    await expect(lists.send({ sendId: phone }, { limit: 2, cursor: next })).rejects.toThrow(CursorError);
  });

  it('continues from a cursor after the message at the cursor was deleted', async () => {
    const gone = { ...report('t-gone', 'sent', 6.5, { phone }) };
    await writer.storeMessage(gone);
    const { entries, next = '' } = await lists.phone({ phone }, { limit: 4 });
    expect(timelineIds(entries).at(-1)).toBe('t-gone');
    const Key = { pk: { S: messageKey('t-gone') } };
    await tables.client.send(new DeleteItemCommand({ TableName: tables.history, Key }));
    expect(timelineIds((await lists.phone({ phone }, { limit: 2, cursor: next })).entries)).toEqual([
      't6',
      't5',
    ]);
  });
});

it('the reader pages through 2,000 entries of a number without repeats or gaps during writes', async () => {
  const phone = '+12025550180';
  const numbers = Array.from({ length: 2_000 }, (_, number) => number);
  // Ten of each moment.
  await pMap(
    numbers,
    (number) =>
      number % 10 === 9
        ? writer.storeReply(reply(`big-${number}`, Math.floor(number / 10), phone))
        : writer.storeMessage(report(`big-${number}`, 'sent', Math.floor(number / 10), { phone })),
    { concurrency: 32 },
  );
  const seen: string[] = [];
  let written = 0;
  const entries = await readAll(async (page) => {
    const [found] = await Promise.all([
      lists.phone({ phone }, page),
      // A new message, a later report of one already seen, and one of a message that comes later.
      writer.storeMessage(report(`new-${written}`, 'sent', 2000 + written, { phone })),
      writer.storeMessage(report(`big-${1990 - 10 * written}`, 'delivered', 3000, { phone })),
      writer.storeMessage(report(`big-${10 * written}`, 'delivered', 3000, { phone })),
    ]);
    written += 1;
    return found;
  }, 20);
  seen.push(...timelineIds(entries));
  expect(written).toBeGreaterThanOrEqual(100);
  const old = seen.filter((id) => id.startsWith('big-'));
  expect(new Set(seen).size).toBe(seen.length);
  expect(new Set(old)).toEqual(new Set(numbers.map((number) => `big-${number}`)));
  const moments = old.map((id) => Math.floor(Number(id.slice('big-'.length)) / 10));
  expect(moments).toEqual([...moments].sort((a, b) => b - a));
});

describe('the messages of a send', () => {
  it('are listed newest first, also when its id has unusual characters', async () => {
    for (const sendId of ['bulk', 'a#b', 'x'.repeat(2048)]) {
      for (let second = 0; second < 9; second++)
        await writer.storeMessage(
          report(`${sendId.slice(0, 9)}-${second}`, second < 3 ? 'sent' : 'delivered', second, { sendId }),
        );
      const ask = (query: object) => readAll((page) => lists.send({ sendId, ...query }, page));
      expect((await ask({})).map((message) => message.firstSeenAt)).toEqual(
        [8, 7, 6, 5, 4, 3, 2, 1, 0].map(at),
      );
      expect(await ask({ statuses: ['sent'], since: at(1) })).toHaveLength(2);
    }
    expect(await lists.send({ sendId: 'bul' }, { limit: 9 })).toEqual({ entries: [] });
  });
});

describe('the messages that failed', () => {
  const day = 86_400;
  const range = { since: at(10 * day), until: at(14 * day) };
  const failed = async (query: object = {}) =>
    (await readAll((page) => lists.failed({ ...range, ...query }, page))).map(idOf);

  beforeAll(async () => {
    for (const [id, status, second] of [
      ['f-before', 'failed', 10 * day - 1],
      ['f-first', 'failed', 10 * day],
      ['f-expired', 'expired', 10 * day + 50_000],
      ['f-rejected', 'rejected', 12 * day + 50_000],
      ['f-healed', 'undelivered', 13 * day],
      ['f-last', 'undelivered', 14 * day - 0.001],
      ['f-after', 'undelivered', 14 * day],
    ] as const)
      await writer.storeMessage(report(id, status, second, { firstSeen: 5 * day }));
    await writer.storeMessage(report('f-healed', 'delivered', 13 * day + 5));
    await writer.storeMessage(report('f-fine', 'delivered', 12 * day));
  });

  it('are listed by the time they failed, over several days', async () => {
    expect(await failed()).toEqual(['f-last', 'f-rejected', 'f-expired', 'f-first']);
  });

  it('can be restricted to given statuses', async () => {
    expect(await failed({ statuses: ['expired', 'rejected'] })).toEqual(['f-rejected', 'f-expired']);
  });
});

describe('the messages without a final status', () => {
  it('are listed by the time of their first report, until they have a final status', async () => {
    const range = { since: at(-7000), until: at(-5000) };
    const pending = async (query: object = {}) =>
      (await readAll((page) => lists.pending({ ...range, ...query }, page))).map(idOf);
    for (let number = 0; number < 8; number++)
      await writer.storeMessage(report(`p${number}`, number < 4 ? 'queued' : 'sent', -6000 + number));
    expect(await pending()).toEqual(['p7', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0']);
    await writer.storeMessage(report('p6', 'delivered', 0));
    await writer.storeMessage(report('p5', 'failed', 0));
    await writer.storeMessage(report('p4', 'unknown', 0));
    expect(await pending()).toEqual(['p7', 'p3', 'p2', 'p1', 'p0']);
    expect(await pending({ statuses: ['sent'] })).toEqual(['p7']);
    expect(await pending({ until: at(-5998) })).toEqual(['p1', 'p0']);
  });
});

describe('replies', () => {
  it('are listed by the time they were sent', async () => {
    const day = 86_400;
    for (const [index, second] of [20, 20.5, 21, 21.9, 22].entries())
      await writer.storeReply(reply(`r${index}`, second * day));
    const range = { since: at(20.25 * day), until: at(22 * day) };
    const found = await readAll((page) => lists.replies(range, page), 1);
    expect(found.map(({ replyId }) => replyId)).toEqual(['r3', 'r2', 'r1']);
  });
});

describe('opted-out numbers', () => {
  it('are the numbers whose latest statement is an opt-out, in any order of arrival', async () => {
    const register = createOptOutRegister(tables.client, tables.history, settings.worklistShards);
    const changes = [
      { phone: '+12025550101', state: 'out', at: at(1), replyId: 'a1' },
      { phone: '+12025550101', state: 'in', at: at(2), replyId: 'a2' },
      { phone: '+12025550101', state: 'out', at: at(3), replyId: 'a3' },
      { phone: '+12025550102', state: 'out', at: at(1), replyId: 'b1' },
      { phone: '+12025550102', state: 'in', at: at(4), replyId: 'b2' },
      { phone: '+12025550103', state: 'in', at: at(5), replyId: 'c1' },
      { phone: '+12025550103', state: 'out', at: at(5), replyId: 'c2' },
      { phone: 'SHORT', state: 'out', at: at(2), replyId: 'd' },
      { phone: '+12025550104', state: 'in', at: at(0), replyId: 'e' },
      { phone: '+12025550104', state: 'out', at: at(0), replyId: 'e' },
    ] as const;
    for (const order of [changes, [...changes].reverse(), changes])
      for (const change of order) await register.record(change);
    expect(await readAll((page) => lists.optOuts({}, page), 2)).toEqual([
      { phone: '+12025550103', at: at(5), replyId: 'c2' },
      { phone: '+12025550101', at: at(3), replyId: 'a3' },
      { phone: 'SHORT', at: at(2), replyId: 'd' },
      { phone: '+12025550104', at: at(0), replyId: 'e' },
    ]);
    expect(await readAll((page) => lists.optOuts({ until: at(3) }, page))).toHaveLength(2);
  });
});

it('the reader lists entries that were written before the number of shards grew', async () => {
  const sendId = 'grown';
  await pMap([...Array(20).keys()], (number) =>
    writer.storeMessage(report(`grown-${number}`, 'sent', number, { sendId })),
  );
  const grown = { ...settings, worklistShards: 16 };
  const grownWriter = createHistoryWriter(tables.client, tables.history, grown);
  for (const number of [3, 20, 21])
    await grownWriter.storeMessage(report(`grown-${number}`, 'queued', number, { sendId }));
  const grownLists = createHistoryLists(tables.client, tables.history, grown.worklistShards);
  const found = await readAll((page) => grownLists.send({ sendId }, page));
  expect(found.map(idOf)).toEqual([...Array(22).keys()].reverse().map((number) => `grown-${number}`));
});
