import type { Page } from '../../functions/lists/time-range.ts';
import type { Clock } from '../../functions/runtime/clock.ts';
import type { Wait } from '../target/context.ts';
import type { Tolerate } from '../target/polling.ts';
import type { EntryFormat } from './entry-format.ts';

/** Between two looks. */
export const pollMs = 2_000;

/** How much of what was read is read again: indexes lag, and reports arrive after what they report. */
const overlapMs = 30_000;

/** A list that is followed. */
export interface FollowOptions<T> {
  /** Reads everything from a time on, newest first; from the list's beginning where there is none. */
  readonly read: (since: string | undefined) => AsyncIterable<Page<T>>;
  readonly format: Pick<EntryFormat<T>, 'identify' | 'at'>;
  readonly since: string | undefined;
  /** How many of those that are there already are wanted. */
  readonly limit: number;
  readonly clock: Clock;
  readonly wait: Wait;
  /** Runs every look but the first one. */
  readonly tolerate: Tolerate;
}

/**
 * Gives what is in a list, then what is new in it at each look, never an entry twice; each part oldest first. The first part
 * comes even if nothing is in it. Ends when the waiting does.
 */
export async function* followList<T>(followed: FollowOptions<T>): AsyncGenerator<readonly T[], void> {
  const { format, limit, clock, wait, tolerate } = followed;
  /** Times of the entries that may be met again, by what identifies them. */
  const known = new Map<string, string>();
  let since = followed.since;

  const first = await look(limit);
  yield first.slice(0, limit).reverse();
  while (await wait(pollMs)) {
    const fresh = await tolerate(() => look(Number.POSITIVE_INFINITY));
    if (fresh !== undefined && fresh.length > 0) yield fresh.reverse();
  }

  /** Reads as far back as anything can be new, and farther for so many entries; gives those that were not known. */
  async function look(wanted: number): Promise<T[]> {
    const fresh: T[] = [];
    /** Known only once the look has succeeded: what a failed one met was not given out. */
    const met = new Map<string, string>();
    const now = clock();
    let settled: string | undefined;
    reading: for await (const { entries } of followed.read(since)) {
      for (const entry of entries) {
        const at = format.at(entry);
        // Behind the newest entry, and behind our clock where that entry is ahead of it.
        settled ??= overlapBefore(Math.min(Date.parse(at), now));
        if (at < settled && fresh.length >= wanted) break reading;
        const id = format.identify(entry);
        if (!known.has(id) && !met.has(id)) fresh.push(entry);
        met.set(id, at);
      }
    }
    for (const [id, at] of met) known.set(id, at);
    if (settled !== undefined && (since === undefined || settled > since)) since = settled;
    for (const [id, at] of known) if (since !== undefined && at < since) known.delete(id);
    return fresh;
  }
}

function overlapBefore(milliseconds: number): string {
  return new Date(milliseconds - overlapMs).toISOString();
}
