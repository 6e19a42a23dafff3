import type { BoundedRange } from './listing.ts';

/** A day in UTC, and what is wanted of it: the oldest and the newest time, both included. */
export interface Day {
  /** yyyy-mm-dd */
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

/** The days of a range, newest first. */
export function* daysOf({ since, until }: BoundedRange): Generator<Day, void> {
  const first = Date.parse(since);
  const last = Date.parse(until) - 1;
  for (let start = last - (last % dayMs); start + dayMs > first; start -= dayMs) {
    yield {
      date: new Date(start).toISOString().slice(0, 10),
      from: new Date(Math.max(start, first)).toISOString(),
      to: new Date(Math.min(start + dayMs - 1, last)).toISOString(),
    };
  }
}
