import pMap from 'p-map';
import { type Clock, type Deadline, errorName, omitUndefined } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { StoredMessage } from '../item-keys.ts';
import type { StoredHistoryLists } from '../lists/history-list-store.ts';
import { maxPageSize } from '../lists/time-range.ts';
import { staleBefore, staleReport } from '../message.ts';
import type { StaleMarker } from './stale-marker-store.ts';

export interface SweepDependencies {
  readonly pending: StoredHistoryLists['pending'];
  readonly marker: StaleMarker;
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
    super(`not all messages could be marked: ${errors.join(', ')}`);
  }
}

const concurrentWrites = 16;

/**
 * Marks messages that have waited too long for a final report as `unknown`, newest first. It ends when none is left, at the deadline, or when
 * DynamoDB throttles. The next sweep continues with the rest.
 *
 * @throws SweepError if a message could not be marked
 */
export async function sweep(
  { pending, marker, staleAfterHours, clock, log, count }: SweepDependencies,
  deadline: Deadline,
): Promise<void> {
  const errors = new Map<string, number>();
  let marked = 0;
  let stopped: 'time' | 'throttling' | undefined;

  function mayContinue(): boolean {
    if (stopped === undefined && deadline.isOver()) stopped = 'time';
    return stopped === undefined;
  }

  /** Returns what the work returns; undefined if it failed. */
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
      const page = await attempt(pending({ until }, omitUndefined({ limit: maxPageSize, cursor })));
      await pMap(page?.entries ?? [], mark, { concurrency: concurrentWrites });
      cursor = page?.next;
    } while (cursor !== undefined);
  }

  if (staleAfterHours > 0) await markStale();

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

const throttlings: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Returns whether DynamoDB throttles its callers. */
function isThrottling(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}
