import type { RetryClock } from '../../local/schedule/retry-clock.ts';

/** A clock on which a pause is over at once, and its time has passed. */
export interface FakeRetryClock extends RetryClock {
  /** The pauses so far, in milliseconds. */
  readonly slept: number[];
  advance(ms: number): void;
}

/** @param startMs milliseconds since the epoch */
export function fakeRetryClock(startMs = Date.UTC(2026, 0, 15, 12)): FakeRetryClock {
  const slept: number[] = [];
  let now = startMs;
  return {
    slept,
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
      return true;
    },
  };
}
