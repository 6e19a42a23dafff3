import pMap from 'p-map';
import type { StoredMessage } from '../history/history-item-store.ts';
import { staleBefore, staleReport } from '../history/message.ts';
import type { StoredHistoryLists } from '../lists/history-list-store.ts';
import { maxPageSize } from '../lists/time-range.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { isThrottling, type StaleMarker } from './stale-marker-store.ts';

export interface SweepDependencies {
  readonly pending: StoredHistoryLists['pending'];
  readonly marker: StaleMarker;
  readonly staleAfterHours: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** Thrown after everything else was done, so that the function counts as failed; the message holds names of errors only. */
export class SweepError extends Error {
  override readonly name = 'SweepError';

  constructor(errors: readonly string[]) {
    super(`not all stale messages could be marked: ${errors.join(', ')}`);
  }
}

const concurrentWrites = 16;

/** Nothing is begun any more when less than this is left of the function's time, in milliseconds. */
const reservedMs = 10_000;

/**
 * Marks messages that have waited too long for a final report as `unknown`, newest first, until none is left, time runs
 * out, or DynamoDB asks to slow down: marked messages are in no list of open ones, so the next sweep goes on with the rest.
 *
 * @param remainingMs what is left of the function's time
 * @throws SweepError where something failed for good
 */
export async function sweep(
  { pending, marker, staleAfterHours, clock, log, count }: SweepDependencies,
  remainingMs: () => number,
): Promise<void> {
  const until = staleBefore(clock(), staleAfterHours);
  const errors = new Map<string, number>();
  let marked = 0;
  let stopped: 'time' | 'throttling' | undefined;

  function mayGoOn(): boolean {
    if (stopped === undefined && remainingMs() < reservedMs) stopped = 'time';
    return stopped === undefined;
  }

  function note(error: unknown): void {
    if (isThrottling(error)) {
      stopped = 'throttling';
      return;
    }
    const name = error instanceof Error ? error.name : 'unknown';
    errors.set(name, (errors.get(name) ?? 0) + 1);
  }

  async function mark(message: StoredMessage): Promise<void> {
    if (!mayGoOn()) return;
    try {
      const outcome = await marker.mark(message, staleReport(message, staleAfterHours, clock()));
      if (outcome === 'marked') marked += 1;
    } catch (error) {
      note(error);
    }
  }

  let cursor: string | undefined;
  do {
    if (!mayGoOn()) break;
    const read = { limit: maxPageSize, ...(cursor === undefined ? {} : { cursor }) };
    const page = await pending({ until }, read).catch(note);
    await pMap(page?.entries ?? [], mark, { concurrency: concurrentWrites });
    cursor = page?.next;
  } while (cursor !== undefined);

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
