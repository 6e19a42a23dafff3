import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

/** Pauses that double with each failure in a row, from 100 ms to 5 s. */
export class Backoff {
  readonly #report: (reason: string) => void;
  readonly #signal: AbortSignal;
  #failures = 0;

  /** @param report told of the first failure in a row only */
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

  /** Returns at once where nothing failed, or when the signal aborts. */
  async pause(): Promise<void> {
    if (this.#failures === 0) return;
    const ms = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    await delay(ms, undefined, { signal: this.#signal }).catch(() => {});
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const responseSchema = z.union([
  z.null(),
  z.looseObject({
    batchItemFailures: z.array(z.looseObject({ itemIdentifier: z.string().min(1) })).nullish(),
  }),
]);

/**
 * The messages of a batch that the function did not manage, by message id, from its partial batch response
 * (Lambda Developer Guide, "Implementing partial batch responses"): nothing reported means that all are done;
 * a malformed response, or an id that is not in the batch, means that none is.
 */
export function failedMessages(result: unknown, messageIds: readonly string[]): ReadonlySet<string> {
  const response = responseSchema.safeParse(result ?? null);
  if (!response.success) return new Set(messageIds);
  const reported = (response.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  const known = new Set(messageIds);
  return reported.every((id) => known.has(id)) ? new Set(reported) : known;
}
