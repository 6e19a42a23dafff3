import { csvRow } from '../../contract/text/csv.ts';

/** Writes CSV with a byte order mark, without which Excel does not read UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map(csvRow).join('')}`;
}
