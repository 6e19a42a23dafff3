import type { SendOptions } from './event-request.ts';
import type { PostResult } from './poster.ts';
import { shuffled } from './random.ts';

/** The outcome of sending events, without their content. */
export interface SendSummary {
  /** The time at which sending began, ISO 8601. */
  readonly startedAt: string;
  /** The number of copies. */
  readonly sent: number;
  /** The number of copies that were answered with 2xx. */
  readonly accepted: number;
  /** The number of posts, repeated attempts included. */
  readonly attempts: number;
  /** The copies that were not answered with 2xx. */
  readonly failed: readonly FailedCopy[];
}

interface FailedCopy {
  /** The position of the event in the request. */
  readonly event: number;
  /** The result of the last attempt. */
  readonly status: PostResult;
  /** The time of the first attempt, in milliseconds since `startedAt`. */
  readonly at: number;
}

export interface SenderPorts {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Aborted when the sandbox closes: no further attempts are made. */
  readonly signal: AbortSignal;
}

/** The pause after the first failed attempt. It doubles, up to the maximum. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

const isAccepted = (result: PostResult): boolean =>
  typeof result === 'number' && result >= 200 && result < 300;

/**
 * Sends each of `count` events. The options control copies, order, pace and retries.
 *
 * @param post posts the event at this position once
 */
export async function sendEvents(
  count: number,
  options: Omit<SendOptions, 'seed'>,
  post: (event: number) => Promise<PostResult>,
  { clock, random, sleep, signal }: SenderPorts,
): Promise<SendSummary> {
  const inOrder = Array.from({ length: count }, (_, event) =>
    Array<number>(1 + Math.floor(random() * (options.repeats + 1))).fill(event),
  ).flat();
  const copies = options.shuffle ? shuffled(inOrder, random) : inOrder;
  const failed: FailedCopy[] = [];
  let attempts = 0;
  const startedAt = clock();

  async function deliver(event: number): Promise<void> {
    if (options.delayMs > 0) await sleep(random() * options.delayMs);
    const at = clock() - startedAt;
    for (let attempt = 1; ; attempt++) {
      attempts++;
      const status = await post(event);
      if (isAccepted(status)) return;
      if (attempt >= options.attempts || signal.aborted) {
        failed.push({ event, status, at });
        return;
      }
      await sleep(Math.min(maxPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }

  async function untilDue(copy: number): Promise<void> {
    if (options.ratePerSecond === undefined) return;
    const leftMs = startedAt + (copy * 1000) / options.ratePerSecond - clock();
    if (leftMs > 0) await sleep(leftMs);
  }

  // All lanes share one iterator: each takes the next copy when it is free.
  const queue = copies.entries();
  async function lane(): Promise<void> {
    for (const [copy, event] of queue) {
      await untilDue(copy);
      await deliver(event);
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.concurrency, copies.length) }, lane));
  return {
    startedAt: new Date(startedAt).toISOString(),
    sent: copies.length,
    accepted: copies.length - failed.length,
    attempts,
    failed,
  };
}
