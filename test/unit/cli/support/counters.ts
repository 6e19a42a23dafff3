import { timeName } from '../../../../functions/insights/counters/count-names.ts';
import type {
  CounterReads,
  SendFigures,
} from '../../../../functions/insights/counters/counter-read-store.ts';
import { bucketOf } from '../../../../functions/insights/counters/delivery-times.ts';

/** Three messages: one delivered after 4.1 s, one unreachable, one sent; and a reply. */
const tally = {
  delivered: 1,
  undelivered: 1,
  sent: 1,
  'error#unreachable#30003': 1,
  replies: 1,
  [timeName(bucketOf(4100))]: 1,
};

export const send: SendFigures = { sendId: 'send-1', first: Date.UTC(2026, 0, 15, 11), tally };

/** Counters that hold one send, and its messages in the United States at 11:00 on 15 January 2026. */
export function fakeCounters(changes: Partial<CounterReads> = {}) {
  const calls: unknown[] = [];
  const counters: CounterReads = {
    send: async (id) => (id === send.sendId ? send : undefined),
    sends: async (query) => {
      calls.push(query);
      return { sends: [send], next: undefined };
    },
    quarters: async (...range) => {
      calls.push(range);
      return [{ start: send.first, country: 'US', source: 'main', tally }];
    },
    days: async (...range) => {
      calls.push(range);
      return [{ day: '2026-01-15', country: 'US', source: 'main', tally }];
    },
    ...changes,
  };
  return { calls, connection: { counters: async () => counters } };
}
