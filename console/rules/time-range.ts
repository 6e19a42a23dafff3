/** The ranges of lists by time. */
export const ranges = ['24h', '7d', '30d', '90d', 'all'] as const;
export type Range = (typeof ranges)[number];

/** The range of the quarantine at first, and of its count in the navigation. */
export const quarantineRange = '7d';

const hours: Readonly<Record<Exclude<Range, 'all'>, number>> = {
  '24h': 24,
  '7d': 7 * 24,
  '30d': 30 * 24,
  '90d': 90 * 24,
};
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function isRange(value: unknown): value is Range {
  return (ranges as readonly unknown[]).includes(value);
}

/**
 * Returns the oldest time of a range; ISO 8601. It is one for all pages: the last day is 24 hours, of which the last has not ended, and more days
 * are days in UTC, of which today is the last. The range `all` has no oldest time.
 *
 * @param now milliseconds since the epoch
 */
export function sinceOf(range: Exclude<Range, 'all'>, now: number): string;
export function sinceOf(range: Range, now: number): string | undefined;
export function sinceOf(range: Range, now: number): string | undefined {
  if (range === 'all') return undefined;
  const length = range === '24h' ? hourMs : dayMs;
  return new Date(now - (now % length) - hours[range] * hourMs + length).toISOString();
}

/** For how long a message has waited. */
export const waits = ['24h', '7d', '30d'] as const;
export type Wait = (typeof waits)[number];

/** Returns the time before which messages were first seen that wait for so long; ISO 8601, a whole hour, so that repeated requests have one URL. */
export function untilOf(wait: Wait | undefined, now: number): string | undefined {
  if (wait === undefined) return undefined;
  return new Date(now - (now % hourMs) - hours[wait] * hourMs).toISOString();
}

/** The ranges of the overview. */
export const overviewRanges = ['24h', '7d', '30d'] as const;
export type OverviewRange = (typeof overviewRanges)[number];

export function isOverviewRange(value: unknown): value is OverviewRange {
  return (overviewRanges as readonly unknown[]).includes(value);
}

/** Returns the periods that show a range. @param now milliseconds since the epoch */
export function insightsSpan(range: OverviewRange, now: number) {
  const interval = range === '24h' ? ('hour' as const) : ('day' as const);
  return { interval, since: sinceOf(range, now) };
}

/** Returns the periods of the same length before those that show a range. */
export function insightsSpanBefore(range: OverviewRange, now: number) {
  const { interval, since: until } = insightsSpan(range, now);
  return { interval, since: new Date(Date.parse(until) - hours[range] * hourMs).toISOString(), until };
}

interface Span {
  readonly interval: 'hour' | 'day';
  /** ISO 8601. */
  readonly since: string;
}

/** Whether two spans are the same range, of which one began at most a period later. */
export function isSameRange(one: Span, other: Span): boolean {
  const length = one.interval === 'hour' ? hourMs : dayMs;
  return (
    one.interval === other.interval && Math.abs(Date.parse(one.since) - Date.parse(other.since)) <= length
  );
}
