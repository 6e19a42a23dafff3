import type { Clock } from '../../functions/base/basics.ts';
import type { Page } from '../../functions/history/shapes.ts';
import type { Wait } from '../target/context.ts';
import type { Tolerate } from '../target/polling.ts';
import type { EntryFormat } from './entry-format.ts';

/** The pause between two reads. */
export const pollMs = 2_000;

/** Each read overlaps the previous one by this much, because indexes lag and reports arrive late. */
const overlapMs = 30_000;

export interface FollowOptions<T> {
  /** Reads all entries since a time, newest first; undefined means the list's beginning. */
  readonly read: (since: string | undefined) => AsyncIterable<Page<T>>;
  readonly format: Pick<EntryFormat<T>, 'identify' | 'at'>;
  readonly since: string | undefined;
  /** How many existing entries the first part has at most. */
  readonly limit: number;
  readonly clock: Clock;
  readonly wait: Wait;
  /** Runs every read except the first. */
  readonly tolerate: Tolerate;
}

/**
 * Yields the existing entries of a list, then the new ones of each read, oldest first and never an entry twice. The first part
 * may be empty. It ends when the wait is interrupted.
 */
export async function* followList<T>(followed: FollowOptions<T>): AsyncGenerator<readonly T[], void> {
  const { format, limit, clock, wait, tolerate } = followed;
  /** The times of entries that a later read may return again, by their ids. */
  const seen = new Map<string, string>();
  let since = followed.since;

  const first = await readNew(limit);
  yield first.slice(0, limit).reverse();
  while (await wait(pollMs)) {
    const fresh = await tolerate(() => readNew(Number.POSITIVE_INFINITY));
    if (fresh !== undefined && fresh.length > 0) yield fresh.reverse();
  }

  /** Reads as far back as entries can be new, and further until there are `min` entries. Returns the new ones. */
  async function readNew(min: number): Promise<T[]> {
    const fresh: T[] = [];
    /** Entries count as seen only after the whole read, because a failed read yields nothing. */
    const current = new Map<string, string>();
    const now = clock();
    let settled: string | undefined;
    reading: for await (const { entries } of followed.read(since)) {
      for (const entry of entries) {
        const at = format.at(entry);
        // The overlap counts from the newest entry, or from this clock if the entry's time is later.
        settled ??= overlapBefore(Math.min(Date.parse(at), now));
        if (at < settled && fresh.length >= min) break reading;
        const id = format.identify(entry);
        if (!seen.has(id) && !current.has(id)) fresh.push(entry);
        current.set(id, at);
      }
    }
    for (const [id, at] of current) seen.set(id, at);
    if (settled !== undefined && (since === undefined || settled > since)) since = settled;
    for (const [id, at] of seen) if (since !== undefined && at < since) seen.delete(id);
    return fresh;
  }
}

function overlapBefore(milliseconds: number): string {
  return new Date(milliseconds - overlapMs).toISOString();
}
