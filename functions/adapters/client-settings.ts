/**
 * What every AWS client of the functions is made with: a call that hangs fails after two seconds and is tried once more,
 * so that a caller who waits hears from us while the request is still alive.
 */
export const clientSettings = {
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
} as const;
