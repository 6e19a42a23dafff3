import type { CanonicalStatus } from '../../../contract/schema/sms-event.ts';

/** Times from `since` up to, and not including, `until`; ISO 8601 in UTC with milliseconds. */
export interface TimeRange {
  readonly since?: string;
  readonly until?: string;
}

/** A range with both ends, as lists by day need it. */
export type BoundedRange = Required<TimeRange>;

/** The size of a page, and where it begins. */
export interface PageRequest {
  /** The maximum number of entries, from 1 to {@link maxPageSize}. */
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly cursor?: string;
}

/**
 * A part of a list. It may hold fewer entries than requested, or none, and still not be the last one. The list continues as long as
 * there is `next`.
 */
export interface Page<T> {
  /** In the order of the list, which is newest first unless another one was asked for. */
  readonly entries: readonly T[];
  /** The cursor of the next page; undefined at the end of the list. */
  readonly next?: string;
  /**
   * The time down to which, or with the oldest first up to which, the page has every entry, if it ends because many entries were left out, and not because it is full. ISO 8601 in UTC
   * with milliseconds.
   */
  readonly searchedTo?: string;
}

/** Which entries of a list are wanted. The list reads the others too, and leaves them out. */
export interface Selection<T> {
  /** What is wanted, in texts. A cursor is for a list with the same selection. */
  readonly identity: readonly string[];
  accepts(entry: T): boolean;
  /** Whether it accepts an id in the history, where it is about ids: entries with others are not read. */
  readonly acceptsId?: (id: string) => boolean;
}

/** Selects entries, or all. */
export interface Selected<T> {
  readonly where?: Selection<T>;
}

export const maxPageSize = 100;

/** Selects messages in one of these statuses, or all messages. */
export interface StatusFilter {
  readonly statuses?: readonly CanonicalStatus[];
}

/** The order of a list. */
export interface Ordered {
  /** Without it the newest entry is first. */
  readonly order?: 'newest' | 'oldest';
}

/** Selects the entries of one source by its name, or those of all sources. */
export interface SourceFilter {
  readonly source?: string;
}

const dayMs = 86_400_000;

/** Thrown for an empty range. The message is for the caller. */
export class EmptyRangeError extends Error {
  override readonly name = 'EmptyRangeError';

  constructor({ since, until }: BoundedRange) {
    super(`since (${since}) has to be before until (${until})`);
  }
}

/** Returns the range. @throws EmptyRangeError */
export function requireRange<R extends TimeRange>(range: R): R {
  const { since, until } = range;
  if (since !== undefined && until !== undefined && since >= until)
    throw new EmptyRangeError({ since, until });
  return range;
}

/**
 * Completes a range: it begins a day before its end, and ends a day from now, because the service's clock may be ahead of ours.
 *
 * @param now milliseconds since the epoch
 * @throws EmptyRangeError
 */
export function boundedRange({ since, until }: TimeRange, now: number): BoundedRange {
  const end = until === undefined ? now : Date.parse(until);
  return requireRange({
    since: since ?? new Date(end - dayMs).toISOString(),
    until: until ?? new Date(now + dayMs).toISOString(),
  });
}

/** A part of a day in UTC: its oldest and its newest time, both included. */
export interface Day {
  /** yyyy-mm-dd */
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the days of a range, newest first. */
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
