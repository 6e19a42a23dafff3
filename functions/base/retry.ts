/** The limits of the attempts of a call. All times are milliseconds. */
export interface RetryPolicy {
  /** Attempts of one call, the first included. */
  readonly attempts: number;
  /** The time for all attempts and pauses of one call. */
  readonly totalMs: number;
  /** The first pause is at most this long, each further one at most twice as long as the one before. */
  readonly baseDelayMs: number;
  /** The limit of a pause that the service did not ask for. */
  readonly maxDelayMs: number;
}

/** The progress of a call after a failed attempt. */
export interface Progress {
  /** Attempts so far. */
  readonly attempts: number;
  readonly remainingMs: number;
  /** The pause that the service asked for; null if it did not. */
  readonly retryAfterMs: number | null;
}

/**
 * Returns the pause before the next attempt, or undefined to give up: exponential backoff with full jitter. The pause that the
 * service asks for is a lower bound. A pause that exceeds the remaining time is not shortened: it ends the call.
 *
 * @param random from 0 to less than 1
 */
export function nextDelay(progress: Progress, policy: RetryPolicy, random: () => number): number | undefined {
  if (progress.attempts >= policy.attempts) return undefined;
  const ceiling = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** (progress.attempts - 1));
  const delay = (progress.retryAfterMs ?? 0) + Math.floor(random() * ceiling);
  return delay < progress.remainingMs ? delay : undefined;
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** A header that asks for more is taken as this: one with a wrong unit or year must not end an automation. Milliseconds. */
const maxRetryAfterMs = 3_600_000;

/**
 * Parses a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, an hour at most, 0 for a time in the past, null for a missing or invalid header
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs);
  if (!httpDate.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), maxRetryAfterMs);
}
