import type { Language } from './time-text.ts';

/**
 * Returns the indexes of the columns with a label: evenly spaced, at most `max` of them. The spacing is one that people count in.
 *
 * @param steps spacings to choose from, in columns; without a fitting one the widest is doubled
 */
export function labelledColumns(count: number, max: number, steps: readonly number[]): number[] {
  const fits = (step: number) => Math.ceil(count / step) <= Math.max(1, max);
  let step = steps.find(fits) ?? steps.at(-1) ?? 1;
  while (!fits(step)) step *= 2;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/**
 * Returns the lowest value of an axis of rates: zero, unless all rates are high. Then small differences would be invisible.
 *
 * @param rates from 0 to 1
 */
export function rateFloor(rates: readonly number[]): number {
  const lowest = Math.min(1, ...rates);
  return [0.9, 0.5].find((floor) => lowest >= floor) ?? 0;
}

/** The columns of a chart over time. */
export interface TimeColumns {
  readonly interval: 'hour' | 'day';
  /** The beginnings of the periods, milliseconds since the epoch, oldest first. */
  readonly starts: readonly number[];
}

const periodMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** Returns the beginning of every period of a time, also of those without messages. @param since,until ISO 8601 */
export function columnsOf(interval: 'hour' | 'day', since: string, until: string): TimeColumns {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  const length = periodMs[interval];
  return {
    interval,
    starts: Array.from(
      { length: Math.max(0, Math.ceil((to - from) / length)) },
      (_, index) => from + index * length,
    ),
  };
}

/** Days are those of UTC, as the pipeline counts them; hours are the viewer's. */
const zoneOf = (interval: 'hour' | 'day', zone: string | undefined) => (interval === 'day' ? 'UTC' : zone);
const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language);

/** Returns the text of a period on an axis: "14:00", or "23 Nov". @param zone the viewer's; undefined for that of the browser */
export function axisText(start: number, interval: 'hour' | 'day', language: Language, zone?: string): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    ...(interval === 'hour'
      ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
      : { day: 'numeric', month: 'short' }),
    timeZone: zoneOf(interval, zone),
  }).format(start);
}

/** Returns the text of a period in a sentence or a table: "Mon, 23 Nov 2026, 14:00". @param zone the viewer's; undefined for that of the browser */
export function periodText(
  start: number,
  interval: 'hour' | 'day',
  language: Language,
  zone?: string,
): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(interval === 'hour' && { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: zoneOf(interval, zone),
  }).format(start);
}

/** Returns the place of a value on an axis, in pixels. d3's linear scale brings colours and number formats along, 10 KB of them. */
export function placeOf(
  value: number,
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): number {
  return to === from ? start : start + ((value - from) / (to - from)) * (end - start);
}

/** Returns whole ticks from 0 to one that is not below the largest count; at most six. */
export function countTicks(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / 4)));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => largest / one <= 4) ?? power * 10;
  return ticksTo(largest, step);
}

function ticksTo(largest: number, step: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step);
}

const waitSteps = [
  1,
  2,
  5,
  10,
  20,
  30,
  ...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * 60),
  ...[1, 2, 6, 12, 24, 48, 120].map((hours) => hours * 3600),
].map((seconds) => seconds * 1000);

/** Returns the ticks of an axis of waits, from 0 to a tick that is not below the longest; at most six. @param longest milliseconds */
export function waitTicks(longest: number): number[] {
  const step = waitSteps.find((one) => longest / one <= 4) ?? Math.ceil(longest / 4);
  return ticksTo(longest, step);
}
