/** A number is not a formula, and must remain one that can be dialled. */
const e164 = /^\+\d+$/;

/** A spreadsheet takes a text that begins like this for a formula. */
const formula = /^[\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A field with one of these is quoted (RFC 4180, section 2). */
const special = /[",\r\n\t]/;

/** Writes one field of CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
function csvField(value: string): string {
  const safe = formula.test(value) && !e164.test(value) ? `'${value}` : value;
  return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes CSV (RFC 4180) with a byte order mark, without which Excel does not read UTF-8. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('')}`;
}
