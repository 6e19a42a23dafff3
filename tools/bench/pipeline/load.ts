import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import type { Report } from '../../engine/reports.ts';
import type { Run } from '../../engine/run.ts';
import { createStoredCount } from '../../engine/stored-count.ts';

/** How many there were of something at a moment. */
export interface Progress {
  /** Since whenever. */
  readonly seconds: number;
  readonly count: number;
}

/**
 * How many came a second, from the first look that saw any to the first that saw all. What was seen by then does not count: it
 * came at an unknown time. NaN if all came between two readings.
 *
 * @param samples in order
 */
export function rateOf(samples: readonly Progress[]): number {
  const first = samples.find(({ count }) => count > 0);
  const all = samples.at(-1)?.count;
  const last = samples.find(({ count }) => count === all);
  if (first === undefined || last === undefined || last === first) return Number.NaN;
  return (last.count - first.count) / (last.seconds - first.seconds);
}

/** Posts under way at once. */
const concurrency = 32;

const lookEveryMs = 100;
/** So long without anything new is the end where the queue is empty: how much there is to publish depends on the batches. */
const quietMs = 3000;
/** Longer than a message is out of sight whose batch failed. */
const stalledMs = 150_000;
/** Longer than the long poll that is under way when the worker's poller is stopped. */
const longPollMs = 21_000;

/** The results of events, in order of arrival, since the process began. */
interface Watched {
  readonly stored: readonly Progress[];
  readonly published: readonly Progress[];
}

/** Keeps the worker from taking anything from its queue; resolves when it takes nothing any more. */
export async function hold({ faults }: Run): Promise<void> {
  await faults.set([
    { caller: 'worker poller', service: 'sqs', operation: 'ReceiveMessage', kind: 'refuse' },
  ]);
  await delay(longPollMs);
}

/** Posts all reports. @returns how many were acknowledged a second @throws Error where one was not */
export async function sendAll({ sender }: Run, reports: readonly Report[]): Promise<number> {
  const startedAt = performance.now();
  const results = await pMap(reports, (report) => sender.post(report), { concurrency });
  const refused = results.filter((result) => result !== 200).length;
  if (refused > 0) throw new Error(`${refused} of ${reports.length} events were not accepted`);
  return (reports.length * 1000) / (performance.now() - startedAt);
}

/**
 * Watches from now on until nothing more is stored and published, and so many changes of status were published at least.
 *
 * @param onProgress called whenever more is there than at the look before
 * @throws Error where nothing comes any more before that
 */
export async function watch(run: Run, changes: number, onProgress: () => void): Promise<Watched> {
  const storedCount = createStoredCount(run.pipeline.directory);
  const publishedCount = async () => (await run.bus.publishedAfter(Number.MAX_SAFE_INTEGER)).next;
  const before = { stored: storedCount(), published: await publishedCount() };
  const stored: Progress[] = [];
  const published: Progress[] = [];
  let newestAt = performance.now();
  for (; ; await delay(lookEveryMs)) {
    const at = performance.now();
    const look = (samples: Progress[], count: number) => {
      const isMore = count > (samples.at(-1)?.count ?? 0);
      samples.push({ seconds: at / 1000, count });
      return isMore;
    };
    const isMoreStored = look(stored, storedCount() - before.stored);
    const isMorePublished = look(published, (await publishedCount()) - before.published);
    if (isMoreStored || isMorePublished) {
      newestAt = at;
      onProgress();
    }
    const isEnough = (published.at(-1)?.count ?? 0) >= changes;
    if (isEnough && at - newestAt > quietMs && (await run.backlog()) === 0) {
      // Not while it is measured; and before the bus drops any.
      await run.readBus();
      return { stored, published };
    }
    if (at - newestAt > stalledMs)
      throw new Error(
        `nothing goes on after ${published.at(-1)?.count} of ${changes} changes were published`,
      );
  }
}
