import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;

/** Pauses that double with each consecutive failure, from 100 ms to 5 s. */
export class Backoff {
  readonly #report: (reason: string) => void;
  readonly #signal: AbortSignal;
  #failures = 0;

  /** @param report called only for the first of consecutive failures */
  constructor(report: (reason: string) => void, signal: AbortSignal) {
    this.#report = report;
    this.#signal = signal;
  }

  begins(reason: string): void {
    if (this.#failures === 0 && !this.#signal.aborted) this.#report(reason);
    this.#failures += 1;
  }

  over(): void {
    this.#failures = 0;
  }

  /** Returns at once if nothing failed, or when the signal aborts. */
  async pause(): Promise<void> {
    if (this.#failures === 0) return;
    const ms = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    await delay(ms, undefined, { signal: this.#signal }).catch(() => {});
  }
}

const responseSchema = z.union([
  z.null(),
  z.looseObject({
    batchItemFailures: z.array(z.looseObject({ itemIdentifier: z.string().min(1) })).nullish(),
  }),
]);

/**
 * Reads the ids of the failed messages of a batch from the function's partial batch response (Lambda Developer Guide, "Implementing partial batch
 * responses"). Without reported failures all messages succeeded. With a malformed response, or an id that is not in the batch, all failed.
 */
export function failedMessages(result: unknown, messageIds: readonly string[]): ReadonlySet<string> {
  const response = responseSchema.safeParse(result ?? null);
  if (!response.success) return new Set(messageIds);
  const reported = (response.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const all = new Set(messageIds);
  return reported.every((id) => all.has(id)) ? new Set(reported) : all;
}
