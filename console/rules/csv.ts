import { csvRow } from '../../contract/text/csv.ts';

/** The columns with times; a text or an id of another column may be written like a time. `name` has the start of a period of figures. */
const times: ReadonlySet<string> = new Set([
  'time',
  'receivedAt',
  'sentAt',
  'statusAt',
  'firstSeenAt',
  'name',
]);

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Writes CSV with a byte order mark, without which Excel does not read UTF-8.
 *
 * @param rows the first one has the names of the columns
 * @param zone of the times, which keep their offset: `2026-01-15T09:00:05.000-03:00`. UTC, or undefined for that of the browser
 */
export function csvText(rows: readonly (readonly string[])[], zone: 'UTC' | undefined): string {
  return `\uFEFF${inZone(rows, zone).map(csvRow).join('')}`;
}

/**
 * Returns rows with their times in a zone.
 *
 * @param rows the first one has the names of the columns
 * @param zone UTC, or undefined for that of the browser
 */
export function inZone(
  rows: readonly (readonly string[])[],
  zone: 'UTC' | undefined,
): readonly (readonly string[])[] {
  if (zone === 'UTC') return rows;
  const [names = []] = rows;
  return rows.map((row) =>
    row.map((text, index) => (times.has(names[index] ?? '') ? localTime(text) : text)),
  );
}

/** Returns a time in UTC as one of the browser's zone; any other text as it is. */
function localTime(text: string): string {
  const time = Date.parse(text);
  if (!instant.test(text) || Number.isNaN(time)) return text;
  const minutes = -new Date(time).getTimezoneOffset();
  const of = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${of(minutes / 60)}:${of(minutes % 60)}`;
  return new Date(time + minutes * 60_000).toISOString().replace('Z', offset);
}

/** Joins the parts of a file's name that are given. */
export const fileNameOf = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('-');

/**
 * Returns the name of a file: what it has, and the day on which it was made, in UTC.
 *
 * @param parts such as the name of the list and its range
 * @param now milliseconds since the epoch
 */
export function downloadName(
  parts: readonly (string | undefined)[],
  now: number,
  form: 'csv' | 'xlsx',
): string {
  const day = new Date(now).toISOString().slice(0, 10);
  return `${fileNameOf([...parts, day])
    .replace(/[^\w.-]+/g, '-')
    .replace(/-+/g, '-')}.${form}`;
}
