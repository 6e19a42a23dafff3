import { readPage } from '../../../functions/history/lists/read-page.ts';
import {
  type QuarantinedEntry,
  type QuarantineSummary,
  quarantineId,
} from '../../../functions/receive/quarantine/quarantine.ts';
import type { QuarantineReader } from '../../../functions/receive/quarantine/quarantine-list-store.ts';
import type { Quarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import type { RemoveQuarantined } from '../../../functions/receive/quarantine/requeue-store.ts';

/** A quarantine in memory. */
export interface MemoryQuarantine extends Quarantine, QuarantineReader {
  /** The kept entries, in the order in which they were kept. */
  entries(): readonly QuarantinedEntry[];
  readonly remove: RemoveQuarantined;
}

export function memoryQuarantine(content: readonly QuarantinedEntry[] = []): MemoryQuarantine {
  const kept = new Map(content.map((entry) => [entry.id, entry]));
  return {
    entries: () => [...kept.values()],
    keep: async (entry) => {
      const id = quarantineId(entry);
      kept.set(id, { ...entry, id });
    },
    entry: async (id) => kept.get(id),
    remove: async (id) => void kept.delete(id),
    list({ since, until, reason, source }, page) {
      const summaries = [...kept.values()]
        .filter(({ receivedAt }) => receivedAt >= since && receivedAt < until)
        .filter((entry) => reason === undefined || entry.reason === reason)
        .filter((entry) => source === undefined || (entry.source ?? 'main') === source)
        .map((entry) => ({ at: entry.receivedAt, key: entry.id, summary: summaryOf(entry) }))
        .sort((a, b) => (a.key < b.key ? 1 : -1));
      const list = {
        groups: [{ partitions: ['all'], from: since, to: until }],
        read: async ({
          after,
          limit,
        }: {
          readonly after?: { readonly key: string };
          readonly limit: number;
        }) => summaries.filter(({ key }) => after === undefined || key < after.key).slice(0, limit),
      };
      const load = async (entries: typeof summaries) =>
        entries.map(({ summary }) => ({ value: summary, bytes: 300 }));
      const identity = ['quarantine', ...(reason ? [reason] : []), ...(source ? ['source', source] : [])];
      return readPage({ list, identity, load }, page);
    },
  };
}

function summaryOf({ id, reason, field, receivedAt, requestId, index }: QuarantinedEntry): QuarantineSummary {
  return { id, reason, field, receivedAt, requestId, index };
}
