/** How often and how long a call is tried. All times are milliseconds. */
export interface RetryPolicy {
  /** Tries of one call, the first included. */
  readonly attempts: number;
  /** All tries and pauses of one call together. */
  readonly totalMs: number;
  /** The first pause is at most this long, each further one at most twice as long as the one before. */
  readonly baseDelayMs: number;
  /** No pause of our own choice is longer. */
  readonly maximumDelayMs: number;
}

/** Where a call stands after a failed try. */
export interface Progress {
  /** Tries made. */
  readonly attempts: number;
  readonly remainingMs: number;
  /** What the service asked for, if it did. */
  readonly retryAfterMs: number | null;
}

/**
 * How long to wait before the next try, or undefined to give up: exponential backoff with full jitter. The service's
 * own wish is a lower bound; a wish that does not fit into the time left is not cut short, it ends the call.
 *
 * @param random from 0 to less than 1
 */
export function nextDelay(progress: Progress, policy: RetryPolicy, random: () => number): number | undefined {
  if (progress.attempts >= policy.attempts) return undefined;
  const ceiling = Math.min(policy.maximumDelayMs, policy.baseDelayMs * 2 ** (progress.attempts - 1));
  const delay = (progress.retryAfterMs ?? 0) + Math.floor(random() * ceiling);
  return delay < progress.remainingMs ? delay : undefined;
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 for a moment that has passed, null for no or an unreadable header
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
