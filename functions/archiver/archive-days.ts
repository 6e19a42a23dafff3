import type { ArchiveObjects } from '../archive/archive.ts';
import { monthOf } from '../archive/archive-lines.ts';
import { archiveMarginDays, hourOf } from '../history/open-batch.ts';
import { isoOf } from '../history/packed.ts';
import type { Clock, Deadline } from '../runtime/basics.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { type SliceDependencies, storeSlice } from './store-slice.ts';

/** Where the archiver continues. */
export interface ArchiveState {
  /** The first hour that is not archived, yyyy-mm-ddThh in UTC. */
  readonly next: string;
  /** The days after which items were archived before the setting grew, for hours before `until`. */
  readonly earlier?: { readonly days: number; readonly until: string };
  /** The setting that the last run had. */
  readonly days: number;
}

/** What the worker noted, and the state of the archiver. */
export interface NotedItems {
  state(): Promise<ArchiveState | undefined>;
  save(state: ArchiveState): Promise<void>;
  /** Returns the keys of the items that were noted in an hour, with repeats, part by part. */
  keysOf(hour: string): AsyncIterable<readonly string[]>;
}

export interface ArchiverDependencies extends SliceDependencies {
  readonly objects: ArchiveObjects;
  readonly noted: NotedItems;
  /** Items are archived so many days after they were stored. */
  readonly afterDays: number;
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Items in memory at a time: some 20 MB. */
const maxSliceKeys = 20_000;

const timeOf = (hour: string) => Date.parse(`${hour}:00:00.000Z`);

/**
 * Archives the days that are old enough, oldest first, and deletes the months whose retention is over. It ends when no day is left, or at the
 * deadline. The next run continues with the first hour that is not done.
 */
export async function archiveDays(dependencies: ArchiverDependencies, deadline: Deadline): Promise<void> {
  const { noted, objects, afterDays, retentionDays, clock, log, count } = dependencies;
  const now = clock();
  let state = followSetting(
    (await noted.state()) ?? {
      // Items that were stored before are not in the notes, or expire long after.
      next: hourOf(now - (afterDays + archiveMarginDays) * dayMs),
      days: afterDays,
    },
    afterDays,
    now,
  );
  let archived = 0;
  let waiting: Set<string> = new Set();
  /** The hours of the keys that wait: of one day. */
  let from = state.next;

  async function flush(): Promise<void> {
    const keys = [...waiting];
    waiting = new Set();
    if (keys.length === 0) return;
    // A day of leeway for the clocks of other machines.
    const mayHaveExpired = now >= timeOf(from) + (daysOf(state, from) + archiveMarginDays - 1) * dayMs;
    await storeSlice({ month: monthOf(from), keys, mayHaveExpired }, dependencies);
    archived += keys.length;
  }

  async function finishHours(next: string): Promise<void> {
    await flush();
    state = { ...state, next };
    await noted.save(state);
    from = next;
  }

  let hour = state.next;
  while (isDue(hour, state, now)) {
    if (deadline.isOver()) {
      count('archiveUnfinished');
      log('ARCHIVE_UNFINISHED', { next: hour });
      break;
    }
    for await (const keys of noted.keysOf(hour)) {
      for (const key of keys) waiting.add(key);
      if (waiting.size >= maxSliceKeys) await flush();
    }
    const next = hourOf(timeOf(hour) + hourMs);
    // An object is rewritten once a day, unless there is more than fits into memory.
    if (next.slice(0, 'yyyy-mm-dd'.length) !== hour.slice(0, 'yyyy-mm-dd'.length)) await finishHours(next);
    hour = next;
  }
  if (hour !== state.next) await finishHours(hour);
  if (archived > 0) log('ITEMS_ARCHIVED', { items: archived, to: state.next });
  for (const month of await objects.months('items'))
    if (isOver(month, retentionDays, now)) await objects.removeMonth(month);
}

/** Items that were stored under a smaller setting expire earlier, so it stays in force for their hours. */
function followSetting(state: ArchiveState, days: number, now: number): ArchiveState {
  if (days <= state.days) return { ...state, days };
  const earlierDays = Math.min(state.days, state.earlier?.days ?? state.days);
  return { ...state, days, earlier: { days: earlierDays, until: hourOf(now + hourMs) } };
}

function daysOf({ days, earlier }: ArchiveState, hour: string): number {
  return earlier !== undefined && hour < earlier.until ? Math.min(earlier.days, days) : days;
}

/** Returns whether the day of an hour is old enough. */
function isDue(hour: string, state: ArchiveState, now: number): boolean {
  const endOfDay = Date.parse(hour.slice(0, 'yyyy-mm-dd'.length)) + dayMs;
  return endOfDay + daysOf(state, hour) * dayMs <= now;
}

function isOver(month: string, retentionDays: number, now: number): boolean {
  return month < monthOf(isoOf(now - retentionDays * dayMs));
}
