import { nextDelay, type RetryPolicy } from './backoff.ts';
import type { Result, SmsServiceError } from './errors.ts';
import type { Ports } from './ports.ts';

/** How one call may be tried again. */
export interface RetryLimits extends RetryPolicy {
  /** One try, its answer's body included; milliseconds. */
  readonly attemptTimeoutMs: number;
}

export const defaultLimits: RetryLimits = {
  attempts: 5,
  totalMs: 30_000,
  baseDelayMs: 250,
  maximumDelayMs: 8_000,
  attemptTimeoutMs: 10_000,
};

export interface CallOptions {
  readonly operation: string;
  /**
   * Whether doing it twice is the same as doing it once. If not, only a refusal (429) is tried again: after a timeout,
   * a lost connection or a 5xx nobody knows whether the service has acted.
   */
  readonly repeatable: boolean;
  /** Milliseconds since the epoch at which the call must have ended. */
  readonly deadline: number;
}

/** Tries until it succeeds, fails for good, or the policy or the deadline says that it is enough. */
export async function withRetries<T>(
  attempt: (timeoutMs: number) => Promise<Result<T>>,
  options: CallOptions,
  limits: RetryLimits,
  ports: Pick<Ports, 'clock' | 'sleep' | 'random'>,
): Promise<Result<T>> {
  for (let attempts = 1; ; attempts++) {
    const timeoutMs = Math.min(limits.attemptTimeoutMs, options.deadline - ports.clock());
    if (timeoutMs <= 0)
      return { ok: false, error: { kind: 'timeout', operation: options.operation, afterMs: 0 } };
    const result = await attempt(timeoutMs);
    if (result.ok || !isWorthRetrying(result.error, options.repeatable)) return result;
    const retryAfterMs = 'retryAfterMs' in result.error ? result.error.retryAfterMs : null;
    const remainingMs = options.deadline - ports.clock();
    const delay = nextDelay({ attempts, remainingMs, retryAfterMs }, limits, ports.random);
    if (delay === undefined) return result;
    await ports.sleep(delay);
  }
}

function isWorthRetrying(error: SmsServiceError, repeatable: boolean): boolean {
  if (error.kind === 'too-many-requests') return true;
  return repeatable && (error.kind === 'server' || error.kind === 'timeout' || error.kind === 'network');
}
