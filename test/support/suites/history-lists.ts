import { beforeAll, describe, expect, it } from 'vitest';
import type { HistoryWriter } from '../../../functions/history/history-write-store.ts';
import { CursorError } from '../../../functions/history/lists/cursor.ts';
import type { HistoryLists } from '../../../functions/history/lists/history-list-store.ts';
import type { Message, TimelineEntry } from '../../../functions/history/message.ts';
import type { OptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { at, readAll, replied, report } from './reports.ts';

/** A history with its lists. */
export interface ListedHistory extends HistoryWriter, HistoryLists {
  readonly register: OptOutRegister;
  erase(messageId: string): unknown;
}

const idOf = ({ messageId }: Message) => messageId;
const timelineIds = (entries: readonly TimelineEntry[]) =>
  entries.map((entry) => (entry.kind === 'reply' ? entry.reply.replyId : entry.message.messageId));

/** What the lists of the history promise. @param start is called once, and returns an empty history */
export function historyListsSuite(name: string, start: () => Promise<ListedHistory>): void {
  describe(`the history lists: ${name}`, () => {
    let history: ListedHistory;
    const store = (
      messageId: string,
      status: Parameters<typeof report>[2],
      second: number,
      facts: Parameters<typeof report>[4] = {},
    ) =>
      history.storeMessage(
        report(messageId, `${messageId}-${status}`, status, second, { received: second, ...facts }),
      );

    beforeAll(async () => {
      history = await start();
    });

    describe('the timeline of a number', () => {
      const phone = '+12025550177';
      const ask = async (query: object = {}) =>
        timelineIds(await readAll((page) => history.phone({ phone, ...query }, page)));

      beforeAll(async () => {
        for (let second = 0; second < 10; second++)
          await store(`t${second}`, second % 2 === 0 ? 'sent' : 'failed', second, { phone });
        await history.storeReply(replied('t-reply', 'e', 4.5, { from: phone, received: 4.5 }));
        await store('t-other', 'sent', 3, { phone: '+12025550178' });
      });

      it('has messages and replies, newest first', async () => {
        expect((await ask()).join(' ')).toBe('t9 t8 t7 t6 t5 t-reply t4 t3 t2 t1 t0');
      });

      it('is listed for a range of time without its end', async () => {
        expect(await ask({ since: at(4), until: at(6) })).toEqual(['t5', 't-reply', 't4']);
      });

      it('can be restricted to messages with certain statuses', async () => {
        expect(await ask({ statuses: ['failed'] })).toEqual(['t9', 't7', 't5', 't3', 't1']);
        expect(await ask({ statuses: ['failed', 'sent'], since: at(7) })).toEqual(['t9', 't8', 't7']);
      });

      it('is empty for an unknown number', async () => {
        expect(await history.phone({ phone: '+12025550179' }, { limit: 1 })).toEqual({ entries: [] });
      });

      it('rejects a cursor of another filter or list', async () => {
        const { next = '' } = await history.phone({ phone }, { limit: 2 });
        const filtered = history.phone({ phone, statuses: ['sent'] }, { limit: 2, cursor: next });
        await expect(filtered).rejects.toThrow(CursorError);
        await expect(history.send({ sendId: phone }, { limit: 2, cursor: next })).rejects.toThrow(
          CursorError,
        );
      });

      it('continues after the last message of a page was erased', async () => {
        await store('t-gone', 'sent', 6.5, { phone });
        const { entries, next = '' } = await history.phone({ phone }, { limit: 4 });
        expect(timelineIds(entries).at(-1)).toBe('t-gone');
        await history.erase('t-gone');
        const rest = await history.phone({ phone }, { limit: 2, cursor: next });
        expect(timelineIds(rest.entries)).toEqual(['t6', 't5']);
      });
    });

    it('has the messages of a send, newest first, also when its id has unusual characters', async () => {
      for (const sendId of ['bulk', 'a#b', '€'.repeat(512)]) {
        for (let second = 0; second < 9; second++)
          await store(`${sendId.slice(0, 9)}-${second}`, second < 3 ? 'sent' : 'delivered', second, {
            sendId,
          });
        const ask = (query: object) => readAll((page) => history.send({ sendId, ...query }, page));
        const times = (await ask({})).map(({ firstSeenAt }) => firstSeenAt);
        expect(times).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0].map(at));
        expect(await ask({ statuses: ['sent'], since: at(1) })).toHaveLength(2);
      }
      expect(await history.send({ sendId: 'bul' }, { limit: 9 })).toEqual({ entries: [] });
    });

    it('has the messages that failed by the time they failed, over several days', async () => {
      const day = 86_400;
      for (const [id, status, second] of [
        ['f-before', 'failed', 10 * day - 1],
        ['f-first', 'failed', 10 * day],
        ['f-expired', 'expired', 10 * day + 50_000],
        ['f-rejected', 'rejected', 12 * day + 50_000],
        ['f-healed', 'undelivered', 13 * day],
        ['f-last', 'undelivered', 14 * day - 0.001],
        ['f-after', 'undelivered', 14 * day],
      ] as const)
        await store(id, status, second, { received: 5 * day });
      await store('f-healed', 'delivered', 13 * day + 5);
      await store('f-fine', 'delivered', 12 * day);
      const failed = async (query: object = {}) => {
        const range = { since: at(10 * day), until: at(14 * day) };
        return (await readAll((page) => history.failed({ ...range, ...query }, page))).map(idOf);
      };
      expect(await failed()).toEqual(['f-last', 'f-rejected', 'f-expired', 'f-first']);
      expect(await failed({ statuses: ['expired', 'rejected'] })).toEqual(['f-rejected', 'f-expired']);
    });

    it('has the messages marked unknown by day, and no other message', async () => {
      const day = 86_400;
      await store('u-first', 'unknown', 20 * day);
      await store('u-last', 'unknown', 21 * day);
      await store('u-failed', 'failed', 21 * day);
      await store('u-arrived', 'unknown', 21 * day);
      await store('u-arrived', 'delivered', 21 * day + 5);
      const range = { since: at(20 * day), until: at(22 * day) };
      expect((await readAll((page) => history.unknown(range, page))).map(idOf)).toEqual([
        'u-last',
        'u-first',
      ]);
    });

    it('has the messages without a final status by the time of their first report', async () => {
      const range = { since: at(-7000), until: at(-5000) };
      const pending = async (query: object = {}) =>
        (await readAll((page) => history.pending({ ...range, ...query }, page))).map(idOf).join(' ');
      for (let number = 0; number < 8; number++)
        await store(`p${number}`, number < 4 ? 'queued' : 'sent', -6000 + number);
      expect(await pending()).toBe('p7 p6 p5 p4 p3 p2 p1 p0');
      for (const [id, status] of [
        ['p6', 'delivered'],
        ['p5', 'failed'],
        ['p4', 'unknown'],
      ] as const)
        await store(id, status, 0);
      expect(await pending()).toBe('p7 p3 p2 p1 p0');
      expect(await pending({ statuses: ['sent'] })).toBe('p7');
      expect(await pending({ order: 'oldest' })).toBe('p0 p1 p2 p3 p7');
      expect(await pending({ until: at(-5998) })).toBe('p1 p0');
    });

    it('has the replies by the time they were sent', async () => {
      const day = 86_400;
      for (const [index, second] of [20, 20.5, 21, 21.9, 22].entries())
        await history.storeReply(replied(`r${index}`, 'e', second * day));
      const range = { since: at(20.25 * day), until: at(22 * day) };
      const found = await readAll((page) => history.replies(range, page), 1);
      expect(found.map(({ replyId }) => replyId)).toEqual(['r3', 'r2', 'r1']);
    });

    it('has the numbers whose latest statement is an opt-out, in any order of arrival', async () => {
      const changes = [
        { phone: '+12025550101', state: 'out', at: at(1), by: 'person', replyId: 'a1' },
        { phone: '+12025550101', state: 'in', at: at(2), by: 'person', replyId: 'a2' },
        { phone: '+12025550101', state: 'out', at: at(3), by: 'person', replyId: 'a3' },
        { phone: '+12025550102', state: 'out', at: at(1), by: 'person', replyId: 'b1' },
        { phone: '+12025550102', state: 'in', at: at(4), by: 'person', replyId: 'b2' },
        { phone: '+12025550103', state: 'in', at: at(5), by: 'person', replyId: 'c1' },
        { phone: '+12025550103', state: 'out', at: at(5), by: 'person', replyId: 'c2' },
        { phone: 'SHORT', state: 'out', at: at(2), by: 'person', replyId: 'd' },
        { phone: '+12025550104', state: 'in', at: at(0), by: 'person', replyId: 'e' },
        { phone: '+12025550104', state: 'out', at: at(0), by: 'person', replyId: 'e' },
      ] as const;
      for (const order of [changes, changes.toReversed(), changes])
        for (const change of order) await history.register.record(change);
      expect(await readAll((page) => history.optOuts({}, page), 2)).toEqual([
        { phone: '+12025550103', at: at(5), by: 'person', replyId: 'c2' },
        { phone: '+12025550101', at: at(3), by: 'person', replyId: 'a3' },
        { phone: 'SHORT', at: at(2), by: 'person', replyId: 'd' },
        { phone: '+12025550104', at: at(0), by: 'person', replyId: 'e' },
      ]);
      expect(await readAll((page) => history.optOuts({ until: at(3) }, page))).toHaveLength(2);
    });

    describe('of one source', () => {
      const day = 30 * 86_400;
      const phone = '+12025550155';
      const range = { since: at(day - 100), until: at(day + 100) };

      beforeAll(async () => {
        for (let second = 0; second < 12; second++) {
          const id = second % 4 === 0 ? `backup/s${second}` : `s${second}`;
          await store(id, 'failed', day + second, { phone });
        }
        await store(`backup/${'€'.repeat(700)}`, 'failed', day + 20, { phone });
        await store('backup/s-sent', 'sent', day + 21, { phone });
        await store('s-sent', 'sent', day + 22, { phone });
        for (const id of ['backup/s-unknown', 's-unknown']) await store(id, 'unknown', day + 23, { phone });
        for (const id of ['backup/s-reply', 's-reply'])
          await history.storeReply(replied(id, 'e', day + 24, { from: phone, received: day + 24 }));
        const statement = { state: 'out', by: 'person', replyId: 's-reply' } as const;
        await history.register.record({ ...statement, phone, at: at(day), source: 'backup' });
        await history.register.record({ ...statement, phone: '+12025550156', at: at(day + 1) });
      });

      const short = (id: string) => (id.length > 100 ? 'long' : id);

      it('has the messages of each state over all pages, also if their ids are long', async () => {
        const failed = async (source: string) =>
          (await readAll((page) => history.failed({ ...range, source }, page), 2)).map(idOf).map(short);
        expect(await failed('backup')).toEqual(['long', 'backup/s8', 'backup/s4', 'backup/s0']);
        expect(await failed('main')).toEqual(['s11', 's10', 's9', 's7', 's6', 's5', 's3', 's2', 's1']);
        const query = { ...range, source: 'backup' };
        for (const list of ['unknown', 'pending'] as const) {
          const found = await readAll((page) => history[list](query, page));
          expect(found.map(idOf)).toEqual([list === 'unknown' ? 'backup/s-unknown' : 'backup/s-sent']);
        }
      });

      it('has the entries of a number, the replies and the opt-outs', async () => {
        const query = { ...range, source: 'backup' };
        const ids = timelineIds(await readAll((page) => history.phone({ phone, ...query }, page)));
        expect(ids.map(short).slice(0, 4)).toEqual([
          'backup/s-reply',
          'backup/s-unknown',
          'backup/s-sent',
          'long',
        ]);
        expect(ids).toHaveLength(7);
        const replies = await readAll((page) => history.replies(query, page));
        expect(replies.map(({ replyId }) => replyId)).toEqual(['backup/s-reply']);
        const optOuts = (source: string) =>
          readAll((page) => history.optOuts({ ...range, source }, page)).then((all) =>
            all.map((one) => one.phone),
          );
        // A person who opted out at one source is out of all.
        const everyone = [phone, '+12025550156'].sort();
        expect([(await optOuts('backup')).sort(), (await optOuts('main')).sort()]).toEqual([
          everyone,
          everyone,
        ]);
      });

      it('rejects a cursor of another source', async () => {
        const { next = '' } = await history.failed({ ...range, source: 'main' }, { limit: 2 });
        for (const other of [{}, { source: 'backup' }])
          await expect(history.failed({ ...range, ...other }, { limit: 2, cursor: next })).rejects.toThrow(
            CursorError,
          );
      });
    });
  });
}
