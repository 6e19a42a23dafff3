import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import type { HistoryWriter } from '../../../functions/history/history-write-store.ts';
import type { HistoryReader } from '../../../functions/history/lists/history-list-store.ts';
import {
  decidingEntry,
  type Message,
  maxEventsPerMessage,
  mergeMessages,
  mergeReplies,
} from '../../../functions/history/message.ts';
import { assertProperty } from '../property.ts';
import { replied, report } from './reports.ts';

/** What each writer of the history promises, as its reader shows it. @param start is called once */
export function historyWriterSuite(name: string, start: () => Promise<HistoryWriter & HistoryReader>): void {
  describe(`the history writer: ${name}`, () => {
    let history: HistoryWriter & HistoryReader;

    beforeAll(async () => {
      history = await start();
    });

    it('stores a report once, and counts a redelivered one as a repeat that changes nothing', async () => {
      const message = report('once', 'e1', 'sent', 1, { phone: '+12025550143', sendId: 's' });
      const outcome = { kind: 'stored', stored: 1, repeated: 0, refused: [] };
      expect(await history.storeMessage(message)).toEqual(outcome);
      const again = report('once', 'e1', 'sent', 1, { phone: '+12025550143', sendId: 's', received: 55 });
      expect(await history.storeMessage(again)).toEqual({ ...outcome, stored: 0, repeated: 1 });
      expect(await history.message('once')).toEqual(message);
      expect(await history.message('unknown')).toBeUndefined();
    });

    it('counts a redelivered report with several unread values as a repeat, whatever the order of their names', async () => {
      const unread = { segments: '-', currency: '?', price: '0,0075', network: 'x' };
      const message = report('unread', 'e1', 'sent', 1, { unread });
      await history.storeMessage(message);
      const others = Object.fromEntries(Object.entries(unread).toReversed());
      const again = report('unread', 'e1', 'sent', 1, { unread: others, received: 55 });
      expect(await history.storeMessage(again)).toMatchObject({ stored: 0, repeated: 1 });
      expect(await history.message('unread')).toEqual(message);
    });

    it('gives the same message in any order, repetition and batching of its reports', async () => {
      const reports = fc.array(
        fc.record({
          eventId: fc.constantFrom('a', 'b', 'c', 'd'),
          status: fc.constantFrom(...canonicalStatuses),
          second: fc.nat(3),
          received: fc.integer({ min: 40, max: 44 }),
          phone: fc.constantFrom('+12025550100', '(202) 555-0100'),
        }),
        { minLength: 1, maxLength: 6 },
      );
      let number = 0;
      await assertProperty(
        fc.asyncProperty(reports, fc.integer({ min: 1, max: 3 }), async (all, batchSize) => {
          const id = `folded-${number++}`;
          const views = all.map(({ eventId, status, second, ...facts }) =>
            report(id, eventId, status, second, facts),
          );
          const first = views.slice(0, batchSize).reduce(mergeMessages);
          await history.storeMessage(first);
          for (const view of [...views, ...views.toReversed()]) await history.storeMessage(view);
          const { firstSeenAt } = first;
          expect(await history.message(id)).toEqual({ ...views.reduce(mergeMessages), firstSeenAt });
        }),
        { numRuns: 25 },
      );
    });

    it('keeps all reports of concurrent writers', async () => {
      const reports = canonicalStatuses.map((status, index) => report('raced', `e${index}`, status, index));
      const write = async (message: Message): Promise<void> => {
        // The queue's redelivery is for contention beyond the writer's own attempts.
        await history.storeMessage(message).catch((error: Error) => {
          expect(error.name).toBe('ContentionError');
          return write(message);
        });
      };
      await Promise.all([...reports, ...reports].map(write));
      expect(await history.message('raced')).toEqual(reports.reduce(mergeMessages));
    });

    it('refuses the reports beyond the limit of a message, except one of a greater rank', async () => {
      const many = Array.from({ length: maxEventsPerMessage + 20 }, (_, index) =>
        report('full', `e${index}`, index === 90 ? 'delivered' : 'sent', index % 60),
      ).reduce(mergeMessages);
      const first = await history.storeMessage(many);
      expect(first).toMatchObject({ stored: maxEventsPerMessage, repeated: 0 });
      expect(first.kind === 'stored' && first.refused).toHaveLength(20);
      const full = { kind: 'stored', stored: 0, repeated: 0 };
      expect(await history.storeMessage(report('full', 'new', 'sent', 59))).toEqual({
        ...full,
        refused: ['new'],
      });
      expect((await history.message('full'))?.events.has('e90')).toBe(true);
      expect(await history.storeMessage(report('full', 'd', 'read', 2))).toMatchObject({
        stored: 1,
        refused: [],
      });
      expect(await history.storeMessage(report('full', 'd2', 'read', 3))).toEqual({
        ...full,
        refused: ['d2'],
      });
      const stored = await history.message('full');
      expect(stored && decidingEntry(stored).eventId).toBe('d');
      expect(stored?.events.size).toBe(maxEventsPerMessage + 1);
    });

    it('says of a message that can never be stored that it is unstorable', async () => {
      const events = Array.from({ length: 20 }, (_, index) =>
        report('huge', `e${index}`, 'sent', 1, { errorText: 'x'.repeat(30_000) }),
      );
      expect(await history.storeMessage(events.reduce(mergeMessages))).toEqual({ kind: 'unstorable' });
      expect(await history.message('huge')).toBeUndefined();
    });

    it('stores a version of a reply once, and returns it as it was stored first', async () => {
      const first = replied('r', 'a', 5, { received: 5 });
      const outcome = { kind: 'stored', stored: 1, repeated: 0, refused: [], reply: first };
      expect(await history.storeReply(first)).toEqual(outcome);
      // The service reports no time, so a copy has the time of its receipt.
      const copy = replied('r', 'a', 40, { received: 40 });
      expect(await history.storeReply(copy)).toEqual({ ...outcome, stored: 0, repeated: 1 });
      const other = replied('r', 'b', 20);
      const both = await history.storeReply(mergeReplies(copy, other));
      expect(both).toMatchObject({ stored: 1, repeated: 1, reply: mergeReplies(first, other) });
      expect(await history.reply('r')).toEqual(mergeReplies(first, other));
      expect(await history.reply('unknown')).toBeUndefined();
    });
  });
}
