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

/** Days that a viewer chose in place of a range, yyyy-mm-dd, both included. Without `to` they last until now; `to` alone is one day. */
export interface ChosenDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A range, and the days that replace it. */
export interface Times<R extends Range = Range> extends ChosenDays {
  readonly range: R;
}

/** Returns the days of an address, the earlier first; a wrong one counts as none. */
export function chosenDays({ from, to }: Readonly<Record<string, unknown>>): ChosenDays {
  const [first, last] = [from, to].filter(isDay).toSorted();
  if (last !== undefined) return { from: first, to: last };
  return isDay(to) ? { from: to, to } : { from: first, to: undefined };
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Returns the beginning of a day, or of the one after it. @param zone undefined for that of the browser */
function startOf(day: string, zone: 'UTC' | undefined, later = 0): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return zone === 'UTC'
    ? Date.UTC(year, month - 1, date + later)
    : new Date(year, month - 1, date + later).getTime();
}

/** Times as the query API takes them; ISO 8601. */
export interface TimeSpan {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/**
 * Returns the span of a range or of chosen days.
 *
 * @param now milliseconds since the epoch
 * @param zone of the chosen days; undefined for that of the browser
 */
export function spanOf({ range, from, to }: Times, now: number, zone: 'UTC' | undefined): TimeSpan {
  if (from === undefined) return { since: sinceOf(range, now), until: undefined };
  const end = to === undefined ? undefined : startOf(to, zone, 1);
  return {
    since: new Date(startOf(from, zone)).toISOString(),
    until: end === undefined ? undefined : new Date(end).toISOString(),
  };
}

/** Returns the day on which a time is, yyyy-mm-dd. @param zone undefined for that of the browser */
export function dayOf(time: number, zone: 'UTC' | undefined): string {
  const minutes = zone === 'UTC' ? 0 : new Date(time).getTimezoneOffset();
  return new Date(time - minutes * 60_000).toISOString().slice(0, 10);
}

/** Returns the times as a part of a file's name. */
export const nameOfTimes = ({ range, from, to }: Times): string =>
  from === undefined ? range : [from, to].filter((day) => day !== undefined).join('-to-');

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

/** Returns the periods that show a range, or chosen days. Figures are counted by days in UTC. @param now milliseconds since the epoch */
export function insightsSpan({ range, from, to }: Times<OverviewRange>, now: number): InsightsSpan {
  if (from !== undefined) {
    const { since = '', until } = spanOf({ range, from, to }, now, 'UTC');
    return { interval: 'day', since, ...(until !== undefined && Date.parse(until) <= now && { until }) };
  }
  return { interval: range === '24h' ? 'hour' : 'day', since: sinceOf(range, now) };
}

/** Returns the periods of the same length before those that show a range or chosen days. */
export function insightsSpanBefore(times: Times<OverviewRange>, now: number) {
  const { interval, since, until } = insightsSpan(times, now);
  const begin = Date.parse(since);
  // Today has not ended, and counts as a day.
  const end = until === undefined ? now - (now % dayMs) + dayMs : Date.parse(until);
  const length = times.from === undefined ? hours[times.range] * hourMs : Math.max(dayMs, end - begin);
  return { interval, since: new Date(begin - length).toISOString(), until: since };
}

/** The periods of figures. */
export interface InsightsSpan {
  readonly interval: 'hour' | 'day';
  /** ISO 8601. */
  readonly since: string;
  readonly until?: string;
}

/** Whether two spans are the same range, of which one began at most a period later. */
export function isSameRange(one: InsightsSpan, other: InsightsSpan): boolean {
  const length = one.interval === 'hour' ? hourMs : dayMs;
  const by = (a = '', b = '') => (a === b ? 0 : Date.parse(a) - Date.parse(b));
  const moved = by(one.since, other.since);
  const isEndSame =
    one.until === undefined && other.until === undefined ? true : by(one.until, other.until) === moved;
  return one.interval === other.interval && Math.abs(moved) <= length && isEndSame;
}
