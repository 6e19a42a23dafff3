import { invisible } from './invisible.ts';

/** Such a text is a number, not a formula, and must remain one that can be dialled. */
const dialable = /^\+[1-9]\d{1,14}$/;

/** A spreadsheet takes a text that begins like this for a formula (OWASP, "CSV Injection"). */
const formula = /^(?:[\t\r]|\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/;

/**
 * Excel ends a cell here if its list separator is a semicolon, because a quote that follows a comma is then a character like others. A quote at the
 * beginning of the next cell vanishes: that of `;"=1` is written twice, which opens and closes the cell.
 */
const laterFormula = /([;\t\r\n]["\s]*)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/g;

/** A formula could hide behind invisible characters, and a terminal obeys some. These stay. */
const tabsAndLineBreaks = /[\t\n\r\u2028\u2029]/;

/** A field with one of these is quoted (RFC 4180, section 2). */
const special = /[",\r\n\t]/;

export type CsvValue = string | number | boolean | null | undefined;

/**
 * Writes a row of CSV (RFC 4180) with its line break. A text that a spreadsheet would take for a formula gets an apostrophe in front, except a
 * number in E.164; so does a part of it after a semicolon, tab or line break. The command line, the query API and the console all write CSV by this rule.
 */
export function csvRow(values: readonly CsvValue[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = value.replace(invisible, (one) => (tabsAndLineBreaks.test(one) ? one : ''));
  const inside = text.replace(laterFormula, (_, before, sign) =>
    sign === '' ? before : `${before}'${sign}`,
  );
  const safe = formula.test(text) && !dialable.test(text) ? `'${inside}` : inside;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
