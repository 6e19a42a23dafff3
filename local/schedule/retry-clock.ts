import { setTimeout as delay } from 'node:timers/promises';

/** Time as what tries again needs it. */
export interface RetryClock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves with true after so many milliseconds, or with false as soon as what waits is to be dropped. */
  sleep(ms: number): Promise<boolean>;
}

/** By timers that keep no process from ending; when the signal comes, what waits is dropped. */
export function retryClockByTimer(signal: AbortSignal): RetryClock {
  return {
    now: Date.now,
    sleep: (ms) => delay(ms, true, { signal, ref: false }).catch(() => false),
  };
}
