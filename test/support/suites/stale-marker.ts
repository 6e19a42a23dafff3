import { beforeAll, describe, expect, it } from 'vitest';
import type { HistoryWriter } from '../../../functions/history/history-write-store.ts';
import type {
  HistoryReader,
  StoredHistoryLists,
} from '../../../functions/history/lists/history-list-store.ts';
import { type Message, mergeMessages, staleReport } from '../../../functions/history/message.ts';
import type { StaleMarker } from '../../../functions/history/sweep/stale-marker-store.ts';
import { at, report } from './reports.ts';

/** A history of ten days whose stale messages can be marked. */
interface MarkedHistory extends HistoryWriter, Pick<HistoryReader, 'message'> {
  readonly pending: StoredHistoryLists['pending'];
  readonly marker: StaleMarker;
  erase(messageId: string): unknown;
}

const hour = 3600;
const now = Date.parse(at(80 * hour));

/** What the marker of stale messages promises. @param start is called once */
export function staleMarkerSuite(name: string, start: () => Promise<MarkedHistory>): void {
  describe(`the stale marker: ${name}`, () => {
    let history: MarkedHistory;

    beforeAll(async () => {
      history = await start();
    });

    /** Stores a message, reads it from the list, and marks it after something else happened. */
    async function mark(message: Message, meanwhile: () => unknown = () => undefined) {
      await history.storeMessage(message);
      const { entries } = await history.pending({}, { limit: 100 });
      const found = entries.find(({ messageId }) => messageId === message.messageId);
      if (found === undefined) throw new Error('the message is not listed');
      await meanwhile();
      return history.marker.mark(found, staleReport(found, 72, now));
    }
    const eventsOf = async (id: string) => [...((await history.message(id))?.events.keys() ?? [])].sort();

    it('adds its report to a message that is still as it was read, once', async () => {
      expect(await mark(report('kept', 'sent', 'sent', 0))).toBe('marked');
      expect(await eventsOf('kept')).toEqual(['pipeline:stale', 'sent']);
      const { entries } = await history.pending({}, { limit: 100 });
      expect(entries.map(({ messageId }) => messageId)).not.toContain('kept');
    });

    it('leaves a message as it is if a report was stored since it was read', async () => {
      const late = report('race', 'delivered', 'delivered', 9);
      expect(await mark(report('race', 'sent', 'sent', 0), () => history.storeMessage(late))).toBe('changed');
      expect(await eventsOf('race')).toEqual(['delivered', 'sent']);
    });

    it('marks a message whose report was only redelivered since it was read', async () => {
      const message = report('again', 'sent', 'sent', 0);
      expect(await mark(message, () => history.storeMessage(message))).toBe('marked');
    });

    it('does not create a message again that was erased since it was read', async () => {
      expect(await mark(report('gone', 'sent', 'sent', 0), () => history.erase('gone'))).toBe('changed');
      expect(await history.message('gone')).toBeUndefined();
    });

    it('leaves a message as it is that was erased and created again since it was read', async () => {
      const fresh = report('remade', 'new', 'queued', 9);
      const outcome = await mark(report('remade', 'sent', 'sent', 0), async () => {
        await history.erase('remade');
        await history.storeMessage(fresh);
      });
      expect(outcome).toBe('changed');
      expect(await history.message('remade')).toEqual(fresh);
    });

    it('leaves a message as it is that has expired', async () => {
      const expired = report('expired', 'sent', 'sent', 0, { received: -10 * 24 * hour });
      expect(await mark(expired)).toBe('changed');
      expect(await history.message('expired')).toEqual(expired);
    });

    it('gives way to a later final report', async () => {
      expect(await mark(report('late', 'sent', 'sent', 0))).toBe('marked');
      const marked = await history.message('late');
      await history.storeMessage(report('late', 'd', 'delivered', 9));
      expect(await history.message('late')).toEqual(
        marked && mergeMessages(marked, report('late', 'd', 'delivered', 9)),
      );
    });
  });
}
