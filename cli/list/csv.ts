import { sanitizeLines } from '../text/sanitize.ts';
import type { CsvRecord } from './entry-format.ts';

/** Such a text is a number and no formula, and has to stay one that can be dialled. */
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * Writes CSV (RFC 4180) in parts: the first one has the header.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front, except a number in E.164. What steers a
 * terminal is left out; JSON has it.
 */
export async function openCsv(
  columns: readonly string[],
): Promise<(records: readonly CsvRecord[]) => string> {
  // Loaded where it is needed.
  const { stringify } = await import('csv-stringify/sync');
  let header = true;
  return (records) => {
    const text = stringify([...records], {
      columns,
      header,
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      escape_formulas: true,
      cast: { boolean: String, string: castText },
    });
    header = false;
    return text;
  };
}

function castText(text: string) {
  const value = sanitizeLines(text);
  return e164.test(value) ? { value, ...{ escape_formulas: false } } : value;
}
