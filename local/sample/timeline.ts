import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { SampleState } from './sample-state.ts';
import { createLiveTraffic, type LiveTraffic } from './traffic/live-traffic.ts';
import { planSample } from './traffic/plan.ts';
import type { SampleEvent } from './traffic/sample-event.ts';

/** The seed of every sample, so that two people see the same. */
const seed = 26;

/** Live traffic begins this long before the end of the sample, so that the last hour has some. */
const liveBeforeMs = 2 * 60_000;

/** The sample until now. */
export interface Timeline {
  /** The events until now that were played, in the order of their times. */
  readonly played: readonly SampleEvent[];
  /** Those that were not, in the order of their times. */
  readonly left: readonly SampleEvent[];
  /** The events after now. */
  readonly live: LiveTraffic;
}

interface TimelineOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly contract: Contract;
  /** 1 for the whole sample. */
  readonly size?: number;
}

/**
 * Returns the sample of kept tables until now. All of it follows from the time at which it began, also the traffic of the days without a run, so a
 * later run continues it, also with another contract, and an event that is played twice has the same id.
 */
export function timelineOf(
  { begun, filledUntil = Number.NEGATIVE_INFINITY }: SampleState,
  { now, contract, size = 1 }: TimelineOptions,
): Timeline {
  const { events: past, later } = planSample({ now: begun, seed, size, contract });
  const live = createLiveTraffic({
    contract,
    start: begun - liveBeforeMs,
    seed,
    later: [...past, ...later],
  });
  const events = live.due(now);
  const isPlayed = ({ at }: SampleEvent) => at <= filledUntil;
  return { played: events.filter(isPlayed), left: events.filter((event) => !isPlayed(event)), live };
}
