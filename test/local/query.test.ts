import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQueryClient, type QueryClient } from '../../cli/stores/query-client.ts';
import { type CanonicalStatus, rankOf } from '../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { messageOf, replyOf } from '../../functions/history/message.ts';
import { createHistoryLists, createHistoryReader } from '../../functions/lists/history-list-store.ts';
import { createQuarantineReader } from '../../functions/lists/quarantine-list-store.ts';
import { createOptOutRegister } from '../../functions/opt-out/opt-out-store.ts';
import { createQuarantine } from '../../functions/quarantine/quarantine-store.ts';
import { createAnswerQuery } from '../../functions/query/answer-query.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { recorder } from '../../tools/support/recorder.ts';
import { throughHttpApi } from '../unit/functions/query/http-api.ts';

const shards = 4;
const settings = { retentionDays: 400, worklistShards: shards };
const now = Date.UTC(2026, 0, 15, 12);
const phone = '+12025550143';

/** So many minutes ago. */
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

let tables: HistoryTables;
let client: QueryClient;
const recorded = recorder();

beforeAll(async () => {
  tables = await startHistoryTables();
  const { client: dynamoDb, history, quarantine } = tables;
  const answer = createAnswerQuery({
    reader: createHistoryReader(dynamoDb, history),
    lists: createHistoryLists(dynamoDb, history, shards),
    quarantine: createQuarantineReader(dynamoDb, quarantine),
    clock: () => now,
    ...recorded,
  });
  client = createQueryClient({
    baseUrl: 'https://api.test/v1',
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    fetch: throughHttpApi(answer),
    clock: () => now,
  });
  await store();
});
afterAll(() => tables.stop());

async function store(): Promise<void> {
  const writer = createHistoryWriter(tables.client, tables.history, settings);
  const message = (messageId: string, status: CanonicalStatus, minutes: number) =>
    writer.storeMessage(
      messageOf(
        {
          kind: 'sms.status',
          eventId: `evt-${messageId}`,
          messageId,
          sendId: 'spring/50%?',
          phone,
          status,
          rank: rankOf(status),
          occurredAt: minutesAgo(minutes),
        },
        minutesAgo(minutes),
      ),
    );
  for (let number = 1; number <= 9; number += 1) await message(`failed-${number}`, 'undelivered', number);
  await message('expired-1', 'expired', 3 * 24 * 60);
  await message('pending/1', 'sent', 20);
  await message('100%', 'delivered', 30);
  const stop = {
    eventId: 'evt-r',
    replyId: 'reply-1',
    from: phone,
    text: 'STOP',
    occurredAt: minutesAgo(10),
  };
  await writer.storeReply(replyOf({ kind: 'sms.reply', ...stop }, minutesAgo(10)));
  await createOptOutRegister(tables.client, tables.history, shards).record({
    phone,
    state: 'out',
    at: stop.occurredAt,
    replyId: stop.replyId,
  });
  await createQuarantine(tables.client, tables.quarantine, 30).keep({
    reason: 'not-json',
    receivedAt: minutesAgo(5),
    requestId: 'req-1',
    raw: Buffer.from('{"half'),
  });
}

async function idsOf(
  entries: AsyncIterable<{ readonly messageId?: string }>,
): Promise<(string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for await (const { messageId } of entries) ids.push(messageId);
  return ids;
}

const failedIds = Array.from({ length: 9 }, (_, index) => `failed-${index + 1}`);

describe('the query client reads from the query function', () => {
  it.each(['pending/1', '100%', 'failed-1'])('one message: %s', async (messageId) => {
    const { events, ...message } = await client.message(messageId);
    expect(message).toMatchObject({ messageId, phone, sendId: 'spring/50%?' });
    expect(events).toHaveLength(1);
  });

  it('the failed messages of the last day, page by page', async () => {
    const first = await client.failed({ limit: 4 });
    expect(first.entries.map(({ messageId }) => messageId)).toEqual(failedIds.slice(0, 4));
    const second = await client.failed({ limit: 4, cursor: first.next ?? '' });
    expect(second.entries.map(({ messageId }) => messageId)).toEqual(failedIds.slice(4, 8));
    expect(await idsOf(client.failed.all({ limit: 4 }))).toEqual(failedIds);
    const longer = { since: minutesAgo(5 * 24 * 60), limit: 4 };
    expect(await idsOf(client.failed.all(longer))).toEqual([...failedIds, 'expired-1']);
    expect(await idsOf(client.failed.all({ ...longer, status: ['expired'] }))).toEqual(['expired-1']);
  });

  it('the messages without a final status, and the messages of a send', async () => {
    expect(await idsOf(client.pending.all())).toEqual(['pending/1']);
    expect(await idsOf(client.send.all('spring/50%?', { limit: 5 }))).toEqual([
      ...failedIds,
      'pending/1',
      '100%',
      'expired-1',
    ]);
    expect(await idsOf(client.send.all('spring/50%?', { status: ['delivered'] }))).toEqual(['100%']);
  });

  it('a number, its replies and its opt-out', async () => {
    const { entries } = await client.timeline(phone, { since: minutesAgo(20), until: minutesAgo(8) });
    expect(entries.map((entry) => (entry.kind === 'reply' ? entry.replyId : entry.messageId))).toEqual([
      'failed-9',
      'reply-1',
      'pending/1',
    ]);
    expect((await client.replies()).entries).toMatchObject([{ replyId: 'reply-1', text: 'STOP' }]);
    expect((await client.optOuts()).entries).toEqual([{ phone, since: minutesAgo(10), replyId: 'reply-1' }]);
  });

  it('the quarantine entries, and one entry with its content', async () => {
    const { entries, next } = await client.quarantine();
    expect([entries.length, next]).toEqual([1, null]);
    expect(await client.quarantineEntry(entries[0]?.id ?? '')).toMatchObject({
      reason: 'not-json',
      raw: '{"half',
    });
    expect((await client.quarantine({ reason: 'bad-time' })).entries).toEqual([]);
  });

  it('an error for a cursor that was changed or belongs to another list', async () => {
    const { next } = await client.failed({ limit: 4 });
    const cursor = next ?? '';
    const changed = cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const wrong of [client.failed({ cursor: changed }), client.replies({ cursor })])
      await expect(wrong).rejects.toMatchObject({
        problem: { status: 400, errors: [{ parameter: 'cursor' }] },
      });
  });

  it('all without a failed invocation', () => {
    expect(recorded.lines).toEqual([]);
  });
});
