import type { ReadRow, RowReader } from '../../contract/imports/row-reader.ts';
import { type CsvLayout, recordsIn } from './csv-layout.ts';
import { lineBreak } from './text-file.ts';

/** What a row of several lines may be instead: rows that a quote joins. */
export type LinesFinding = 'quote-not-closed' | 'rows-within-text' | 'text-may-hold-rows';

/** No message has more lines of which each may be a row. */
const maxCandidates = 100;

/**
 * Examines a row of several lines. In an export that does not quote texts, a text that begins with a quote swallows all rows up to the next quote.
 * A text of several lines looks alike, so a line of it counts as a row only if the mapping reads it as well as the row itself.
 *
 * @param raw the row as in the file
 * @param record its fields, as they are read where quotes within a text need not be doubled
 * @param rowFrom makes a row of fields
 * @returns undefined if no line of its texts has as many separators as a row
 */
export function examineLines(
  raw: string,
  record: readonly string[],
  { delimiter, keys }: CsvLayout,
  rowFrom: (fields: readonly string[]) => object,
  read: RowReader,
): LinesFinding | undefined {
  const strict = recordsIn(raw, { delimiter, rtrim: true, relax_quotes: false });
  const [fields = record] = strict;
  if (strict.length > 1) return 'quote-not-closed';
  // The row is rejected anyway, and may have more fields than can be examined one by one.
  if (fields.length !== keys.length) return strict.length === 1 ? undefined : 'quote-not-closed';
  const finding = examineTexts(fields, delimiter, rowFrom, read);
  return strict.length === 0 && finding !== undefined ? 'quote-not-closed' : finding;
}

function examineTexts(
  fields: readonly string[],
  delimiter: string,
  rowFrom: (fields: readonly string[]) => object,
  read: RowReader,
): LinesFinding | undefined {
  const separators = fields.length - 1;
  let finding: LinesFinding | undefined;
  for (const [index, field] of fields.entries()) {
    const lines = field.split(lineBreak).map((line) => line.split(delimiter));
    const [first = [], ...others] = lines;
    const last = others.pop();
    if (last === undefined) continue;
    // The row in which the text begins, and the row in which it ends.
    const begun = [...fields.slice(0, index), ...first];
    const ended = [...last, ...fields.slice(index + 1)];
    const isJoined = first.length - 1 >= separators - index && last.length - 1 >= index;
    const inner = others.filter((line) => line.length > separators);
    if (!isJoined && inner.length === 0) continue;
    if (inner.length > maxCandidates) return 'rows-within-text';
    const [own, ofBegun, ...results] = read([fields, begun, ended, ...inner].map(rowFrom));
    const known = own !== undefined && 'doubts' in own ? own.doubts : [];
    const isGood = (line: readonly string[], result: ReadRow | undefined) =>
      line.length === fields.length &&
      result !== undefined &&
      'doubts' in result &&
      result.doubts.every((doubt) => known.includes(doubt));
    const [isEnd, ...areInner] = [ended, ...inner].map((line, at) => isGood(line, results[at]));
    // A row that the mapping leaves out, or that cannot be read, may begin the text of another one.
    const isBegin = isGood(begun, ofBegun) || ofBegun?.kind === 'left-out' || own?.kind === 'unreadable';
    if ((isJoined && isBegin && isEnd) || areInner.includes(true)) return 'rows-within-text';
    finding = 'text-may-hold-rows';
  }
  return finding;
}
