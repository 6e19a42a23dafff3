import { quarterMs } from './counters.ts';

const dayMs = 96 * quarterMs;
const weekMs = 7 * dayMs;

/** Weeks of the past that a quarter hour is compared with. */
const weeks = 4;

/** Quarter hours before and after the same one of the past. */
const around = 4;

/** The number of quarter hours that a subject may be judged late; see {@link horizonsMs}. */
const maxLate = around;

/** Reports of a quarter hour may still be under way for this long after their time. */
const settleMs = 60_000;

const minuteMs = 60_000;

/**
 * How long after their first report messages are judged, milliseconds: each is a quarter hour more than the one before. A country with slow
 * delivery is judged later.
 */
export const horizonsMs: readonly number[] = Array.from(
  { length: maxLate + 1 },
  (_, late) => 2 * minuteMs + late * quarterMs,
);

/** Returns the start of the newest quarter hour whose messages are all as old as the first horizon. Times are milliseconds since the epoch. */
export function newestDue(now: number): number {
  const [shortest = 0] = horizonsMs;
  return Math.floor((now - settleMs - shortest) / quarterMs) * quarterMs - quarterMs;
}

/** A range of starts of quarter hours, both included. */
export interface QuarterRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the quarter hours that are judged with this one: it and those before it, for the longer horizons. */
export function rangeToJudge(quarter: number): QuarterRange {
  return { from: quarter - maxLate * quarterMs, to: quarter };
}

/** Returns the same hours of the weeks before. */
export function sameHoursOfWeeks(quarter: number): readonly QuarterRange[] {
  return Array.from({ length: weeks }, (_, week) => rangeAround(quarter - (week + 1) * weekMs));
}

/** Returns the same hours of the days before, which replace those of the weeks while there is too little history. */
export function sameHoursOfDays(quarter: number): readonly QuarterRange[] {
  return Array.from({ length: 6 }, (_, day) => rangeAround(quarter - (day + 1) * dayMs));
}

function rangeAround(quarter: number): QuarterRange {
  return { from: quarter - around * quarterMs, to: quarter + around * quarterMs };
}

/** Returns the starts of the quarter hours of ranges. */
export function quartersOf(ranges: readonly QuarterRange[]): readonly number[] {
  return ranges.flatMap(({ from, to }) =>
    Array.from({ length: (to - from) / quarterMs + 1 }, (_, index) => from + index * quarterMs),
  );
}
