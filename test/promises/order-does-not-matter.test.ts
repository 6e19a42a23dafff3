import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { createHistoryWriter, type HistoryWriter } from '../../functions/history/history-write-store.ts';
import { createHistoryReader, type HistoryReader } from '../../functions/history/lists/history-list-store.ts';
import { decidingEntry, mergeMessages, mergeReplies } from '../../functions/history/message.ts';
import { messageItem } from '../../functions/history/message-item.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { assertProperty } from '../support/property.ts';
import { replied, report } from '../support/suites/reports.ts';
import { receivingHalf, report as signedReport } from './support/receiving-half.ts';

/*
 * The promise: the order of arrival does not matter. (What the order of STOP and START means is in stop-stays-stopped.test.ts.)
 *
 * Given are reports and replies, each with the time at which it happened. What is broken: they arrive in any order, more than once, alone
 * or in one batch, and one event id has several contents. What must hold: the stored item is the same.
 */

let tables: HistoryTables;
let writer: HistoryWriter;
let reader: HistoryReader;
const settings = { retentionDays: 400, listShards: 4 };
beforeAll(async () => {
  tables = await startHistoryTables();
  let generations = 0;
  const newGeneration = () => String(++generations);
  writer = createHistoryWriter(tables.client, tables.history, settings, newGeneration);
  reader = createHistoryReader(tables.client, tables.history);
});
afterAll(() => tables.stop());

describe('four reports of a message', () => {
  const reports = [
    ['queued', '2026-01-15T12:00:01.000Z'],
    ['sent', '2026-01-15T12:00:02.000Z'],
    ['delivered', '2026-01-15T12:00:03.000Z'],
    // It happened last; the message was delivered nevertheless.
    ['expired', '2026-01-15T12:00:04.000Z'],
  ] as const;

  it.each([1, 3])(
    'give the same message in each of their 24 orders, stored in batches of %i',
    async (batchSize) => {
      const pipeline = receivingHalf(tables);
      for (const order of ordersOf(reports)) {
        await pipeline.forget();
        for (const [status, at] of order)
          expect(await pipeline.post(signedReport('m', status, Number(at.slice(18, 19))))).toBe(200);
        await pipeline.work(batchSize);
        const [message, ...others] = await pipeline.history();
        expect(others).toEqual([]);
        expect(message).toMatchObject({
          status: 'delivered',
          statusAt: '2026-01-15T12:00:03.000Z',
          final: true,
          reportCount: 4,
          ...Object.fromEntries(reports.map(([status, at]) => [`report#evt-m-${status}`, { status, at }])),
        });
      }
    },
  );
});

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((first, index) => ordersOf(all.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

async function item(pk: string) {
  const { Item } = await tables.client.send(
    new GetItemCommand({ TableName: tables.history, Key: { pk: { S: pk } } }),
  );
  return Item;
}

/** Some arrivals, the same twice in any order, and the size of the batches in which these are stored. */
const inAnyOrder = <T>(arrivals: fc.Arbitrary<T[]>) =>
  arrivals.chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 }),
      fc.integer({ min: 1, max: 4 }),
    ),
  );

describe('any order, repetition and batching of any arrivals gives the same item', () => {
  it('of a message, also if one event id has several contents, and no repeat is written', async () => {
    const arrivals = fc.array(
      fc.record({
        eventId: fc.constantFrom('a', 'b', 'c'),
        status: fc.constantFrom(...canonicalStatuses),
        second: fc.option(fc.nat(3), { nil: undefined }),
        received: fc.nat(5),
        source: fc.constantFrom(undefined, undefined, 'lookup', 'import'),
        silent: fc.constantFrom(undefined, undefined, true as const),
        errorText: fc.option(fc.constantFrom('x', 'y', 'x\ud800'), { nil: undefined }),
        phone: fc.option(fc.constantFrom('+12025550100', '+12025550101', '(202) 555-0100', 'x\ud800'), {
          nil: undefined,
        }),
        sendId: fc.option(fc.constantFrom('s1', 's2'), { nil: undefined }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    let number = 0;
    await assertProperty(
      fc.asyncProperty(inAnyOrder(arrivals), async ([all, stored, batchSize]) => {
        const id = `contents-${number++}`;
        // A contract without event times uses the time of receipt.
        const messageFrom = ({ eventId, status, second, received, ...facts }: (typeof all)[number]) =>
          report(id, eventId, status, second ?? 10 + received, {
            ...omitUndefined(facts),
            received: 10 + received,
          });
        let expiresAt = 0;
        for (let start = 0; start < stored.length; start += batchSize) {
          const batch = stored.slice(start, start + batchSize).map(messageFrom);
          await writer.storeMessage(batch.reduce(mergeMessages));
          const expiry = Number((await item(`message#${id}`))?.expiresAt?.N);
          expect(expiry).toBeGreaterThanOrEqual(expiresAt);
          expiresAt = expiry;
        }
        const expected = all.map(messageFrom).reduce(mergeMessages);
        const wellFormed = JSON.parse(
          JSON.stringify([...expected.events.values()]).replaceAll('\\ud800', '\ufffd'),
        );
        const message = await reader.message(id);
        const byId = (a: { eventId: string }, b: { eventId: string }) => (a.eventId < b.eventId ? -1 : 1);
        expect([...(message?.events.values() ?? [])].sort(byId)).toEqual(wellFormed.sort(byId));
        expect(message?.phone).toBe(expected.phone?.toWellFormed());
        expect(message?.sendId).toBe(expected.sendId);
        const deciding = decidingEntry(expected);
        const before = await item(`message#${id}`);
        expect(message && decidingEntry(message).eventId).toBe(deciding.eventId);
        const { generation, firstSeenAt } = before ?? {};
        expect(before).toEqual(
          messageItem(
            { ...expected, firstSeenAt: firstSeenAt?.S ?? '' },
            generation?.S ?? '',
            expiresAt,
            settings,
          ),
        );
        for (const repeat of all) await writer.storeMessage(messageFrom(repeat));
        await writer.storeMessage(expected);
        expect(await item(`message#${id}`)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });

  it('of a reply, also if one event id has several contents, and no repeat is written', async () => {
    const arrivals = fc.array(
      fc.record({
        eventId: fc.constantFrom('a', 'b'),
        second: fc.option(fc.nat(2), { nil: undefined }),
        received: fc.nat(3),
        text: fc.constantFrom('stop', 'hello', 'x\ud800'),
      }),
      { minLength: 1, maxLength: 6 },
    );
    let number = 0;
    await assertProperty(
      fc.asyncProperty(inAnyOrder(arrivals), async ([all, stored, batchSize]) => {
        const id = `contents-${number++}`;
        const replyFrom = ({ eventId, second, received, text }: (typeof all)[number]) =>
          replied(id, eventId, second ?? 10 + received, { text, received: 10 + received });
        for (let start = 0; start < stored.length; start += batchSize)
          await writer.storeReply(
            stored
              .slice(start, start + batchSize)
              .map(replyFrom)
              .reduce(mergeReplies),
          );
        const { current, olderVersions } = all.map(replyFrom).reduce(mergeReplies);
        const kept = <T extends { text: string }>(entry: T) => ({
          ...entry,
          text: entry.text.toWellFormed(),
        });
        expect(await reader.reply(id)).toEqual({
          replyId: id,
          current: kept(current),
          olderVersions: new Map([...olderVersions].map(([eventId, entry]) => [eventId, kept(entry)])),
        });
        const before = await item(`reply#${id}`);
        for (const repeat of all) await writer.storeReply(replyFrom(repeat));
        expect(await item(`reply#${id}`)).toEqual(before);
      }),
      { numRuns: 40 },
    );
  });
});
