import type { RecountSources } from '../../../../cli/stores/recount-sources.ts';
import { messageItem } from '../../../../functions/history/message-item.ts';
import type { CommitOutcome } from '../../../../functions/insights/counters/counter-write-store.ts';
import type { Deltas } from '../../../../functions/insights/counters/deltas.ts';
import { report } from '../../../support/suites/reports.ts';

const item = messageItem(
  report('m', 'e', 'sent', 0, { sendId: 'send-1', phone: '+12025550143' }),
  '1',
  Date.UTC(2026, 3, 1) / 1000,
  { retentionDays: 400, listShards: 2 },
);

/** A history with one message, and a table of counters that has none until a correction. */
export function fakeRecount(outcomes: readonly (CommitOutcome | 'lost')[] = [], messages = [item]) {
  const added: Deltas[] = [];
  const answers = [...outcomes];
  let position: string | undefined;
  const sources: RecountSources = {
    positions: async () => new Map(position === undefined ? [] : [['correction', position]]),
    async *history() {
      yield messages;
    },
    codes: async () => new Set(),
    async *counters() {},
    read: async () => new Map(),
    changes: async () => [],
    oldestUncounted: async () => undefined,
    retention: { retentionDays: 400, hourRetentionDays: 70 },
    writer: () => ({
      open: async (shardId) => ({ shardId, counted: position }),
      async commit(_, counted, deltas) {
        const outcome = answers.shift() ?? { kind: 'counted' };
        if (outcome !== 'lost' && outcome.kind !== 'counted') return outcome;
        position = counted;
        added.push(deltas);
        return outcome === 'lost' ? { kind: 'retry', cause: 'ConditionalCheckFailed' } : outcome;
      },
    }),
  };
  return { added, sources, connection: { recount: async () => sources } };
}
