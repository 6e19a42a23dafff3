import { PutItemCommand, ScanCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { CursorError, encodeCursor } from '../../../functions/history/lists/cursor.ts';
import { messageItem } from '../../../functions/history/message-item.ts';
import { replyItem } from '../../../functions/history/reply-item.ts';
import { cohortKey } from '../../../functions/insights/counters/cohort.ts';
import { maxCodes } from '../../../functions/insights/counters/count-names.ts';
import { sendlessCheck } from '../../../functions/insights/counters/counter-actions.ts';
import { keyOfItem, nameOf } from '../../../functions/insights/counters/counter-items.ts';
import { createCounterReads } from '../../../functions/insights/counters/counter-read-store.ts';
import {
  type CounterWriter,
  createCounterWriter,
} from '../../../functions/insights/counters/counter-write-store.ts';
import { deltasOf, type HistoryChange } from '../../../functions/insights/counters/deltas.ts';
import { paddedSequence } from '../../../functions/insights/counters/shard-state.ts';
import { addTallies, isEmpty, type Tally, tallyOfItem } from '../../../functions/insights/counters/tally.ts';
import { listSends } from '../../../functions/query/api/figures.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { keywordOf } from '../../../tools/support/keywords.ts';
import { arrivals, recount, store } from '../../support/counted-arrivals.ts';
import { assertProperty } from '../../support/property.ts';
import { replied, report } from '../../support/suites/reports.ts';

let tables: HistoryTables;
const made: HistoryTables[] = [];

beforeAll(async () => {
  tables = await startHistoryTables();
});

afterAll(async () => {
  await Promise.all([tables, ...made].map((one) => one.stop()));
});

const noon = Date.UTC(2026, 0, 15, 12);
const retention = { retentionDays: 400, hourRetentionDays: 70 };
const bytes = '1';
const settings = { retentionDays: 400, listShards: 2 };
const writerOf = ({ client, insights, history }: HistoryTables) =>
  createCounterWriter(client, { insights, history }, retention, () => noon);

/** Stores the new state of a message or reply, as the worker does. */
async function put({ client, history }: HistoryTables, change: HistoryChange): Promise<void> {
  const Item =
    change.kind === 'message'
      ? messageItem(change.after, bytes, 2_000_000_000, settings)
      : replyItem(change.after, bytes, 2_000_000_000, settings);
  await client.send(new PutItemCommand({ TableName: history, Item }));
}

/** Counts changes of a shard as far as they are not counted yet. */
async function count(
  writer: CounterWriter,
  shardId: string,
  changes: readonly { at: number; change: HistoryChange }[],
) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const state = await writer.open(shardId);
    const left = changes.filter(({ at }) => paddedSequence(String(at)) > (state.counted ?? ''));
    const last = left.at(-1);
    if (last === undefined) return;
    const deltas = deltasOf(
      left.map(({ change }) => change),
      keywordOf,
    );
    const outcome = await writer.commit(state, paddedSequence(String(last.at)), deltas);
    if (outcome.kind === 'counted') return;
    expect(outcome.kind).toBe('retry');
  }
  throw new Error('the commits keep failing');
}

/** The counters in the table without those of nothing. */
async function stored({ client, insights }: HistoryTables): Promise<Record<string, Tally>> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: insights, ConsistentRead: true }));
  const counted = Items.filter(({ pk }) => /^(send|quarter-hours|days|waiting-replies)#/.test(pk?.S ?? ''));
  return Object.fromEntries(
    counted.flatMap((item) => {
      const tally = tallyOfItem(item);
      return isEmpty(tally) ? [] : [[nameOf(keyOfItem(item)), tally]];
    }),
  );
}

/** The counters that the stored messages and replies must have: replies count in the send of their message, or wait for it. */
function expected(list: Parameters<typeof store>[0]): Record<string, Tally> {
  const { messages, replies } = store(list);
  const sums = new Map<string, Tally>();
  for (const [name, tally] of Object.entries(recount([...messages.values()], [...replies.values()]))) {
    const [, messageId] = /^replies to (.*)$/.exec(name) ?? [];
    const sendId = messageId === undefined ? undefined : messages.get(messageId)?.sendId;
    const waiting = messageId === undefined ? name : `waiting-replies#${messageId} figures`;
    const target = sendId === undefined ? waiting : nameOf(cohortKey({ kind: 'send', sendId }));
    sums.set(target, addTallies([sums.get(target) ?? {}, tally]));
  }
  return Object.fromEntries([...sums].filter(([, tally]) => !isEmpty(tally)));
}

describe('counters', () => {
  it('are those of a recount, whatever the order of arrival and of the shards, and with batches that are repeated', async () => {
    await assertProperty(
      fc.asyncProperty(
        arrivals,
        fc.array(fc.tuple(fc.nat(2), fc.nat(4)), { maxLength: 40 }),
        async (list, steps) => {
          const own = await startHistoryTables();
          made.push(own);
          const writers = [writerOf(own), writerOf(own)] as const;
          const { changes } = store(list);
          const shards: { at: number; change: HistoryChange }[][] = [[], []];
          let written = 0;
          const write = async () => {
            const change = changes[written];
            if (change === undefined) return;
            await put(own, change);
            const id = change.kind === 'message' ? change.after.messageId : change.after.replyId;
            shards[id.charCodeAt(1) % 2]?.push({ at: written + 1, change });
            written += 1;
          };
          for (const [shard, size] of steps) {
            if (shard === 2) await write();
            // A prefix of what the shard has: much of it is counted already.
            else
              await count(
                writers[shard === 0 ? 0 : 1],
                `shard-${shard}`,
                shards[shard]?.slice(0, size * 3) ?? [],
              );
          }
          while (written < changes.length) await write();
          await Promise.all(
            [0, 1].map((shard) => count(writers[shard === 0 ? 0 : 1], `shard-${shard}`, shards[shard] ?? [])),
          );
          expect(await stored(own)).toEqual(expected(list));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are not written where another invocation has counted the shard meanwhile', async () => {
    const own = await startHistoryTables();
    made.push(own);
    const writer = writerOf(own);
    const state = await writer.open('shard');
    const change: HistoryChange = { kind: 'message', before: undefined, after: report('m', 'e', 'sent', 0) };
    const deltas = deltasOf([change], keywordOf);
    expect(await writer.commit(state, paddedSequence('7'), deltas)).toEqual({ kind: 'counted' });
    const again = { kind: 'retry', cause: 'ConditionalCheckFailed' };
    expect(await writer.commit(state, paddedSequence('7'), deltas)).toEqual(again);
    expect((await writer.open('shard')).counted).toBe(paddedSequence('7'));
  });

  it('of more cohorts than a transaction can hold are not written', async () => {
    const writer = writerOf(tables);
    const state = await writer.open('large');
    const changes = Array.from({ length: 120 }, (_, index): HistoryChange => {
      const after = report(`m${index}`, 'e', 'sent', 0, { sendId: `send-${index}` });
      return { kind: 'message', before: undefined, after };
    });
    const outcome = await writer.commit(state, paddedSequence('1'), deltasOf(changes, keywordOf));
    expect(outcome).toEqual({ kind: 'too-large' });
    expect((await writer.open('large')).counted).toBeUndefined();
  });
});

describe('error codes', () => {
  it('have counts of their own up to a limit, and count under * beyond it, also with two writers at once', async () => {
    const own = await startHistoryTables();
    made.push(own);
    const failed = (index: number, errorCode = `c${index}`) => {
      const after = report(`m${index}`, 'e', 'failed', 0, { errorCode });
      return { at: index + 1, change: { kind: 'message', before: undefined, after } as const };
    };
    const shards = [0, 1].map((shard) =>
      Array.from({ length: 300 }, (_, index) => failed(2 * index + shard)),
    );
    const writers = [writerOf(own), writerOf(own)];
    for (const size of [100, 200, 300])
      await Promise.all(
        writers.map((writer, shard) => count(writer, `shard-${shard}`, shards[shard]?.slice(0, size) ?? [])),
      );
    const day = async () => {
      const reads = createCounterReads(own.client, own.insights, () => noon);
      const [figures] = await reads.days('2026-01-15', '2026-01-16');
      return figures?.tally ?? {};
    };
    const codes = Object.keys(await day()).filter((name) => name.startsWith('error#unknown#'));
    expect(codes).toHaveLength(maxCodes + 1);
    expect(await day()).toMatchObject({
      failed: 600,
      'error#unknown#c0': 1,
      'error#unknown#*': 600 - maxCodes,
    });

    await count(writerOf(own), 'shard-2', [failed(700, 'c0'), failed(701, 'c701')]);
    expect(await day()).toMatchObject({
      failed: 602,
      'error#unknown#c0': 2,
      'error#unknown#*': 601 - maxCodes,
    });
  });
});

/** Commits one reply to a message, and returns what the counters of sends and of waiting replies gained. */
async function countReply(own: HistoryTables, messageId: string, position: string) {
  const writer = writerOf(own);
  const change: HistoryChange = {
    kind: 'reply',
    before: undefined,
    after: replied('r', 'e', 5, { messageId }),
  };
  const outcome = await writer.commit(await writer.open('shard'), position, deltasOf([change], keywordOf));
  expect(outcome).toEqual({ kind: 'counted' });
  return Object.fromEntries(
    Object.entries(await stored(own)).filter(([name]) => /^(send|waiting-replies)#/.test(name)),
  );
}

describe('a reply', () => {
  it('counts in the send of a message whose reports only a newer version can read', async () => {
    const own = await startHistoryTables();
    made.push(own);
    const item = messageItem(
      report('m', 'e', 'sent', 0, { sendId: 'spring' }),
      bytes,
      2_000_000_000,
      settings,
    );
    const newer = { ...item, 'report#e': { S: 'of a newer version' } };
    await own.client.send(new PutItemCommand({ TableName: own.history, Item: newer }));
    expect(await countReply(own, 'm', paddedSequence('1'))).toEqual({
      'send#spring figures': { replies: 1 },
    });
  });

  it('waits for the send of its message for 7 days', async () => {
    const own = await startHistoryTables();
    made.push(own);
    expect(await countReply(own, 'm', paddedSequence('1'))).toEqual({
      'waiting-replies#m figures': { replies: 1 },
    });
    const { Items = [] } = await own.client.send(new ScanCommand({ TableName: own.insights }));
    const waiting = Items.find(({ pk }) => pk?.S === 'waiting-replies#m');
    expect(Number(waiting?.expiresAt?.N)).toBe(noon / 1000 + 7 * 86_400);
  });
});

it('a reply does not wait for a send that became known after its message was read', async () => {
  const own = await startHistoryTables();
  made.push(own);
  const waits = () =>
    own.client.send(new TransactWriteItemsCommand({ TransactItems: [sendlessCheck(own.history, 'm')] }));
  const store = (sendId: object) =>
    createHistoryWriter(own.client, own.history, settings).storeMessage(report('m', 'e', 'sent', 0, sendId));
  await store({});
  await waits();
  await store({ sendId: 'spring' });
  await expect(waits()).rejects.toThrow('ConditionalCheckFailed');
});

it('a page of sends behind a forged position is refused as a wrong cursor', async () => {
  const reads = createCounterReads(tables.client, tables.insights, () => noon);
  // AWS also rejects a key that is too long or outside of the range, which DynamoDB Local accepts.
  const position = { at: '2026-01-15T12:00:00.000Z', partition: 0, key: null };
  const cursor = encodeCursor(position, ['sends']);
  await expect(listSends({ limit: 3, cursor }, reads)).rejects.toThrow(CursorError);
});

describe('readers of counters', () => {
  it('find sends, the newest first, quarter hours and days', async () => {
    const own = await startHistoryTables();
    made.push(own);
    const writer = writerOf(own);
    const sends = [0, 1, 2, 3].map((index) =>
      report(index === 2 ? 'backup/m2' : `m${index}`, 'e', 'sent', index * 3600, {
        sendId: index === 3 ? 'x'.repeat(3000) : `send-${index}`,
        phone: index === 0 ? '+5511955550143' : '+12025550143',
      }),
    );
    const changes = sends.map((after, index) => ({
      at: index + 1,
      change: { kind: 'message', before: undefined, after } as const,
    }));
    await count(writer, 'shard', changes);
    const reads = createCounterReads(own.client, own.insights, () => noon);
    const hour = 3_600_000;
    expect(await reads.send('send-1')).toEqual({ sendId: 'send-1', first: noon + hour, tally: { sent: 1 } });
    expect(await reads.send('none')).toBeUndefined();
    const first = await reads.sends({ limit: 3 });
    expect(first.sends.map(({ sendId }) => sendId)).toEqual(['x'.repeat(3000), 'send-2', 'send-1']);
    if (first.next === undefined) throw new Error('the list has a second page');
    const second = await reads.sends({ before: first.next, limit: 3 });
    expect(second.sends.map(({ sendId }) => sendId)).toEqual(['send-0']);
    expect(second.next).toBeUndefined();
    expect(await reads.quarters(noon, noon + hour + 1)).toEqual([
      { start: noon, country: 'BR', source: 'main', tally: { sent: 1 } },
      { start: noon + hour, country: 'US', source: 'main', tally: { sent: 1 } },
    ]);
    expect(await reads.quarters(noon + 1, noon + hour)).toEqual([]);
    expect(await reads.days('2025-12-31', '2026-01-16')).toEqual([
      { day: '2026-01-15', country: 'BR', source: 'main', tally: { sent: 1 } },
      { day: '2026-01-15', country: 'US', source: 'main', tally: { sent: 2 } },
      { day: '2026-01-15', country: 'US', source: 'backup', tally: { sent: 1 } },
    ]);
    expect(await reads.days('2026-01-01', '2026-01-15')).toEqual([]);
    const later = createCounterReads(own.client, own.insights, () => noon + 71 * 24 * hour);
    expect(await later.quarters(noon, noon + hour)).toEqual([]);
    expect(await later.days('2026-01-15', '2026-01-16')).toHaveLength(3);
  });
});
