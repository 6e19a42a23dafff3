import type { SendOptions } from './event-request.ts';
import type { PostResult } from './poster.ts';
import { shuffled } from './random.ts';

/** What came of sending events; statuses only. */
export interface SendSummary {
  /** Copies that were to be delivered. */
  readonly sent: number;
  /** Copies that were answered with 2xx. */
  readonly accepted: number;
  /** Posts, tries and copies all counted. */
  readonly attempts: number;
  /** Copies that were not: the event's place in the request, and what its last try got. */
  readonly failed: readonly { readonly event: number; readonly status: PostResult }[];
}

export interface SenderPorts {
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
  { random, sleep, signal }: SenderPorts,
): Promise<SendSummary> {
  const inOrder = Array.from({ length: count }, (_, event) =>
    Array<number>(1 + Math.floor(random() * (options.repeats + 1))).fill(event),
  ).flat();
  const copies = options.shuffle ? shuffled(inOrder, random) : inOrder;
  const failed: { event: number; status: PostResult }[] = [];
  let attempts = 0;

  async function deliver(event: number): Promise<void> {
    if (options.delayMs > 0) await sleep(random() * options.delayMs);
    for (let attempt = 1; ; attempt++) {
      attempts++;
      const status = await post(event);
      if (isAccepted(status)) return;
      if (attempt >= options.attempts || signal.aborted) {
        failed.push({ event, status });
        return;
      }
      await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)));
    }
  }

  // One iterator for all lanes: each takes the next copy when it is free.
  const queue = copies.values();
  async function lane(): Promise<void> {
    for (const event of queue) await deliver(event);
  }
  await Promise.all(Array.from({ length: options.concurrency }, lane));
  return { sent: copies.length, accepted: copies.length - failed.length, attempts, failed };
}
