import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import { signRequest } from '../../../contract/signature/sign.ts';
import { createPoster } from '../../../local/sms-service/poster.ts';
import { createStoredCount } from '../../drills/soak/stored-count.ts';
import { shippedContract } from '../../support/contracts.ts';
import { localBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import type { Arrival } from './arrivals.ts';

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
const concurrentPosts = 32;

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

/** A pipeline that takes events. */
export interface Load {
  /** Keeps the worker from taking anything from its queue; resolves when it takes nothing any more. */
  hold(): Promise<void>;
  release(): Promise<void>;
  /** Posts all events, so many at a time; resolves with how many were answered with 200 and how long all took, in seconds. */
  send(arrivals: readonly Arrival[]): Promise<{ readonly accepted: number; readonly seconds: number }>;
  /**
   * Watches from now on until nothing more is stored and published, and so many changes of status were published at least.
   *
   * @param onProgress called whenever more is there than at the look before
   * @throws Error where nothing comes any more before that
   */
  watch(changes: number, onProgress: () => void): Promise<Watched>;
  close(): void;
}

export async function createLoad(pipeline: LocalPipeline): Promise<Load> {
  const { webhookUrl, outputs, port, directory } = pipeline;
  const secret = await pipeline.webhookSecret();
  const poster = createPoster();
  const bus = localBus(port);
  const storedCount = createStoredCount(directory);
  const publishedCount = async () => (await bus.publishedAfter(Number.MAX_SAFE_INTEGER)).next;
  const isQueueEmpty = async () => {
    const { waiting, inFlight } = await pipeline.queueDepth(outputs.EventsQueueUrl);
    return waiting + inFlight === 0;
  };
  const { signature } = shippedContract.webhook;
  const faults = async (init: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${port + 3}/local/faults`, init);
    if (!response.ok) throw new Error(`the gateway takes no faults: ${response.status}`);
    await response.body?.cancel();
  };
  const poll = { caller: 'worker poller', service: 'sqs', operation: 'ReceiveMessage', kind: 'refuse' };
  return {
    async hold() {
      await faults({ method: 'PUT', body: JSON.stringify({ faults: [poll] }) });
      await delay(longPollMs);
    },
    release: () => faults({ method: 'DELETE' }),
    async send(arrivals) {
      const startedAt = performance.now();
      const results = await pMap(
        arrivals,
        ({ eventId: id, body }) => {
          const headers = signRequest(signature, { body, id, now: Date.now(), url: webhookUrl }, secret);
          return poster.post(webhookUrl, { ...headers, 'content-type': 'application/json' }, body);
        },
        { concurrency: concurrentPosts },
      );
      return {
        accepted: results.filter((result) => result === 200).length,
        seconds: (performance.now() - startedAt) / 1000,
      };
    },
    async watch(changes, onProgress) {
      const before = { stored: storedCount(), published: await publishedCount() };
      const stored: Progress[] = [];
      const published: Progress[] = [];
      let newestAt = performance.now();
      for (;;) {
        const at = performance.now();
        const counts = { stored: storedCount(), published: await publishedCount() };
        const look = (samples: Progress[], count: number) => {
          const isMore = count > (samples.at(-1)?.count ?? 0);
          samples.push({ seconds: at / 1000, count });
          return isMore;
        };
        const isMore = [
          look(stored, counts.stored - before.stored),
          look(published, counts.published - before.published),
        ];
        if (isMore.includes(true)) {
          newestAt = at;
          onProgress();
        }
        const isEnough = counts.published - before.published >= changes;
        if (isEnough && at - newestAt > quietMs && (await isQueueEmpty())) return { stored, published };
        if (at - newestAt > stalledMs)
          throw new Error(
            `nothing goes on after ${counts.stored - before.stored} events were stored and ${counts.published - before.published} changes of status published, ${changes} at least expected`,
          );
        await delay(lookEveryMs);
      }
    },
    close: () => poster.close(),
  };
}
