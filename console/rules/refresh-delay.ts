const firstRetryMs = 5000;
const maxRetryMs = 60_000;

/** When a request was last answered, and how it failed since. Times are milliseconds since the epoch; 0 for never. */
export interface Attempts {
  readonly status: 'pending' | 'error' | 'success';
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
  readonly errorUpdateCount: number;
}

/**
 * Returns the time until a request is repeated, in milliseconds. While it fails, each time is twice the one before, up to a minute.
 *
 * @param usualMs the time after a request that succeeded, which is also the shortest once there was an answer
 */
export function refreshDelay(
  usualMs: number,
  { status, dataUpdatedAt, errorUpdatedAt, errorUpdateCount }: Attempts,
): number {
  if (status !== 'error') return usualMs;
  if (dataUpdatedAt === 0) return Math.min(maxRetryMs, firstRetryMs * 2 ** (errorUpdateCount - 1));
  const outageMs = errorUpdatedAt - dataUpdatedAt;
  return Math.max(usualMs, Math.min(maxRetryMs, Math.max(firstRetryMs, outageMs)));
}
