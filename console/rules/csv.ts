import { csvRow } from '../../contract/text/csv.ts';

/** Writes CSV with a byte order mark, without which Excel does not read UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map(csvRow).join('')}`;
}

/**
 * Returns the name of a file of CSV: what it has, and the day on which it was made, in UTC.
 *
 * @param parts such as the name of the list and its range
 * @param now milliseconds since the epoch
 */
export function csvFileName(parts: readonly (string | undefined)[], now: number): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const name = [...parts, day].filter((part) => part !== undefined).join('-');
  return `${name.replace(/[^\w.-]+/g, '-')}.csv`;
}
