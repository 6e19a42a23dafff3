import type { SendOptions } from './event-request.ts';
import type { PostResult } from './poster.ts';
import { shuffled } from './random.ts';

/** What came of sending events; statuses only. */
export interface SendSummary {
  /** When sending began, ISO 8601. */
  readonly startedAt: string;
  /** Copies that were to be delivered. */
  readonly sent: number;
  /** Copies that were answered with 2xx. */
  readonly accepted: number;
  /** Posts, tries and copies all counted. */
  readonly attempts: number;
  /** Copies that were not. */
  readonly failed: readonly FailedCopy[];
}

interface FailedCopy {
  /** The event's place in the request. */
  readonly event: number;
  /** What its last try got. */
  readonly status: PostResult;
  /** When it was first posted, in milliseconds since `startedAt`. */
  readonly at: number;
}

export interface SenderPorts {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Aborted when the sandbox closes: what is left is given up. */
  readonly signal: AbortSignal;
}

/** The pause after a first try that failed; it doubles, up to the longest. */
const firstPauseMs = 100;
const longestPauseMs = 2_000;

const isAccepted = (result: PostResult): boolean =>
  typeof result === 'number' && result >= 200 && result < 300;

/**
 * Sends each of `count` events: in copies, in an order, at a pace and with retries as the options say.
 *
 * @param post posts the event of this place once
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
      await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }

  async function untilDue(copy: number): Promise<void> {
    if (options.ratePerSecond === undefined) return;
    const leftMs = startedAt + (copy * 1000) / options.ratePerSecond - clock();
    if (leftMs > 0) await sleep(leftMs);
  }

  // One iterator for all lanes: each takes the next copy when it is free.
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
