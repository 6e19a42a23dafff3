import pMap from 'p-map';
import type { StoredMessage } from '../history/history-item-store.ts';
import { staleBefore, staleReport } from '../history/message.ts';
import { endOfHour, openPartitionsOf } from '../history/open-batch.ts';
import type { StoredHistoryLists } from '../lists/history-list-store.ts';
import type { OpenHour } from '../lists/open-batch-read-store.ts';
import { maxPageSize } from '../lists/time-range.ts';
import { type Clock, type Deadline, defined, errorName } from '../runtime/basics.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import type { OpenHours } from './open-hours-store.ts';
import { isThrottling, type PendingLister, type StaleMarker } from './stale-marker-store.ts';

export interface SweepDependencies {
  readonly pending: StoredHistoryLists['pending'];
  readonly marker: StaleMarker;
  readonly hours: OpenHours;
  readonly lister: PendingLister;
  /** 0 marks no message. */
  readonly staleAfterHours: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** Thrown after all other work, so that the invocation counts as failed. The message holds only names of errors. */
export class SweepError extends Error {
  override readonly name = 'SweepError';

  constructor(errors: readonly string[]) {
    super(`not all messages could be marked or listed: ${errors.join(', ')}`);
  }
}

const concurrentWrites = 16;

/** Messages of an hour that are not read again when another of its batches has them; they take about 20 MB. */
const maxSeen = 200_000;

/** An hour of open batches is handled this long after its end: no worker writes into it any more, and most messages are final. */
const restMs = 3_600_000;

/** An hour that was handled is forgotten after this time, in which the index has followed. */
const settleMs = 60_000;

/**
 * Marks messages that have waited too long for a final report as `unknown`, newest first. Then it lists in the index the pending messages of
 * open batches, oldest first. It ends when none is left, at the deadline, or when DynamoDB throttles. The next sweep continues with the rest.
 *
 * @throws SweepError where a message could not be marked or listed
 */
export async function sweep(
  { pending, marker, hours, lister, staleAfterHours, clock, log, count }: SweepDependencies,
  deadline: Deadline,
): Promise<void> {
  const errors = new Map<string, number>();
  let marked = 0;
  let stopped: 'time' | 'throttling' | undefined;

  function mayContinue(): boolean {
    if (stopped === undefined && deadline.isOver()) stopped = 'time';
    return stopped === undefined;
  }

  /** Returns what the work returns; undefined where it failed. */
  async function attempt<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      if (isThrottling(error)) stopped = 'throttling';
      else errors.set(errorName(error), (errors.get(errorName(error)) ?? 0) + 1);
      return undefined;
    }
  }

  async function mark(message: StoredMessage): Promise<void> {
    if (!mayContinue()) return;
    const report = staleReport(message, staleAfterHours, clock());
    if ((await attempt(marker.mark(message, report))) === 'marked') marked += 1;
  }

  async function markStale(): Promise<void> {
    const until = staleBefore(clock(), staleAfterHours);
    let cursor: string | undefined;
    do {
      if (!mayContinue()) return;
      const page = await attempt(pending({ until }, defined({ limit: maxPageSize, cursor })));
      await pMap(page?.entries ?? [], mark, { concurrency: concurrentWrites });
      cursor = page?.next;
    } while (cursor !== undefined);
  }

  /** @returns whether all batches of the hour are handled */
  async function listPendingOf({ hour, sweptTo }: OpenHour): Promise<boolean> {
    const seen = new Set<string>();
    let handledTo = sweptTo;
    let isWhole = true;
    for (const partition of openPartitionsOf(hour)) {
      if (sweptTo !== undefined && partition < sweptTo.partition) continue;
      let last = partition === sweptTo?.partition ? sweptTo.sort : undefined;
      do {
        const noted = mayContinue() ? await attempt(hours.next(partition, last)) : undefined;
        const keys = noted?.keys.filter((key) => !seen.has(key));
        const isListed = keys !== undefined && (await attempt(lister.list(keys).then(() => true)));
        if (isListed === true && seen.size < maxSeen) for (const key of keys ?? []) seen.add(key);
        isWhole &&= isListed === true;
        last = noted?.last;
        if (isWhole && last !== undefined) handledTo = { partition, sort: last };
      } while (last !== undefined);
    }
    if (!isWhole && handledTo !== undefined) await attempt(hours.pause(hour, handledTo));
    return isWhole;
  }

  async function listPending(): Promise<void> {
    for (const open of (mayContinue() && (await attempt(hours.list()))) || []) {
      if (!mayContinue()) return;
      const { hour, sweptAt } = open;
      if (sweptAt !== undefined) {
        if (sweptAt + settleMs <= clock()) await attempt(hours.forget(hour));
      } else if (endOfHour(hour) + restMs <= clock()) {
        if (await listPendingOf(open)) await attempt(hours.finish(hour, clock()));
      }
    }
  }

  if (staleAfterHours > 0) await markStale();
  await listPending();

  if (marked > 0) {
    count('staleMarked', marked);
    log('STALE_MARKED', { messages: marked });
  }
  if (stopped !== undefined) {
    count('sweepUnfinished');
    log('SWEEP_UNFINISHED', { reason: stopped });
  }
  for (const [error, times] of errors) {
    count('storeFailures', times);
    log('SWEEP_FAILED', { error, times });
  }
  if (errors.size > 0) throw new SweepError([...errors.keys()]);
}
