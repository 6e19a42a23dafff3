import { maxSpanMs, newestIn, openMessagesOf, openPartitionsOf } from '../history/open-batch.ts';
import { compareEntriesByTime, mergeByTime, type Source } from './merge-by-time.ts';
import type { OpenBatchReader } from './open-batch-read-store.ts';
import type { Entry, Group, PartitionedList, Stretch } from './read-page.ts';

/** A message that may be pending. */
export interface PendingEntry extends Entry {
  /** Whether the sweep has listed it; otherwise a batch of the worker has noted it. */
  readonly isListed: boolean;
}

/** Open batches that one query reads. */
const batchesPerRead = 25;

/**
 * Returns the list of messages that may be pending, by the time they were first seen: those that the sweep has listed, and those in batches
 * that the sweep has not forgotten. It is one list, so a message that the sweep lists while a caller pages through it keeps its place.
 *
 * @param listed the partitions of the index of pending messages
 */
export function openList(
  listed: Group,
  readIndex: (stretch: Stretch) => Promise<readonly Entry[]>,
  openBatches: OpenBatchReader,
  pageSize: number,
): PartitionedList<PendingEntry> {
  const shardLimit = Math.max(8, Math.ceil((2 * pageSize) / listed.partitions.length));

  function indexSource(partition: string, { from, to }: Stretch): Source<PendingEntry> {
    let rest: Stretch = { partition, from, to, limit: shardLimit };
    return async () => {
      const entries = (await readIndex(rest)).map((entry) => ({ ...entry, isListed: true }));
      const last = entries.at(-1);
      if (last === undefined || entries.length < shardLimit) return { entries, readTo: '' };
      rest = { ...rest, to: last.at, after: last };
      return { entries, readTo: last.at };
    };
  }

  function batchSource(partition: string, { from, to }: Stretch): Source<PendingEntry> {
    const latest = Date.parse(to) + maxSpanMs;
    const query = { partition, from, to: isoOrLatest(latest), isNewestFirst: true, limit: batchesPerRead };
    let after: string | undefined;
    return async () => {
      const { batches, next } = await openBatches.batches(after === undefined ? query : { ...query, after });
      after = next;
      const entries = batches
        .flatMap(openMessagesOf)
        .filter(({ firstSeenAt }) => firstSeenAt >= from && firstSeenAt <= to)
        .map(({ key, firstSeenAt }) => ({ at: firstSeenAt, key, isListed: false }));
      const oldest = batches.at(-1);
      return { entries, readTo: next === undefined || oldest === undefined ? '' : newestIn(oldest) };
    };
  }

  async function* entriesOf(stretch: Stretch): AsyncGenerator<PendingEntry, void> {
    const hours = await openBatches.hours();
    const sources = [
      ...listed.partitions.map((partition) => indexSource(partition, stretch)),
      ...hours
        .flatMap(({ hour }) => openPartitionsOf(hour))
        .map((partition) => batchSource(partition, stretch)),
    ];
    const { after } = stretch;
    for await (const entry of mergeByTime(sources, (a, b) => (a.isListed ? a : b)))
      if (after === undefined || compareEntriesByTime(after, entry) < 0) yield entry;
  }

  let entries: AsyncGenerator<PendingEntry, void> | undefined;
  return {
    groups: [{ ...listed, partitions: ['pending'] }],
    // A page reads one stretch after the other.
    read: async (stretch) => {
      entries ??= entriesOf(stretch);
      const read: PendingEntry[] = [];
      while (read.length < stretch.limit) {
        const { value } = await entries.next();
        if (value === undefined) break;
        read.push(value);
      }
      return read;
    },
  };
}

/** The largest time of four digits' years, of which each text is in the order of time. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Returns a text behind every sort key of the time. */
function isoOrLatest(milliseconds: number): string {
  return `${new Date(Math.min(milliseconds, lastTime)).toISOString()}~`;
}
