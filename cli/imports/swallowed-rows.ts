import type { ReadRow, RowReader } from '../../contract/imports/row-reader.ts';
import { type CsvLayout, recordsIn } from './csv-layout.ts';
import { lineBreak } from './text-file.ts';

/** What a row with quotes may be instead: rows that a quote joins, or a row whose fields begin and end elsewhere. */
export type QuotesFinding = 'quote-not-closed' | 'rows-within-text' | 'text-may-hold-rows' | 'stray-quote';

/** No row has texts with more lines of which each may be a row. */
const maxCandidates = 10;

/**
 * Examines the quotes of a row. In an export that does not quote texts, or does not write a quote within a text twice, a text with a quote swallows
 * rows up to a later quote. A text of several lines looks alike, so a line of it counts as a row only if the mapping reads it as well as the row
 * itself.
 *
 * @param raw the row as in the file
 * @param rowFrom makes a row of fields
 * @returns undefined if each quote is around a text or doubled within one, and no line of a text has as many separators as a row
 */
export function examineQuotes(
  raw: string,
  { delimiter, keys }: CsvLayout,
  rowFrom: (fields: readonly string[]) => object,
  read: RowReader,
): QuotesFinding | undefined {
  if (!raw.includes('"')) return undefined;
  const [fields, ...others] = recordsIn(raw, { delimiter, rtrim: true, relax_quotes: false });
  const isOneLine = !lineBreak.test(raw.trim());
  if (fields === undefined || others.length > 0) return isOneLine ? 'stray-quote' : 'quote-not-closed';
  // A row with another number of fields is rejected anyway, and may have more than can be examined one by one.
  return isOneLine || fields.length !== keys.length
    ? undefined
    : examineTexts(fields, delimiter, rowFrom, read);
}

/** A row that the texts may hold, and the row in whose text it ends, if it is no line of its own. */
interface Candidate {
  readonly fields: () => readonly string[];
  readonly begun?: () => readonly string[];
}

function examineTexts(
  fields: readonly string[],
  delimiter: string,
  rowFrom: (fields: readonly string[]) => object,
  read: RowReader,
): QuotesFinding | undefined {
  const separators = fields.length - 1;
  const candidates: Candidate[] = [];
  let isDoubtful = false;
  for (const [index, field] of fields.entries()) {
    const lines = field.split(lineBreak);
    if (lines.length === 1) continue;
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const [first = '', last = ''] = [lines[0], lines.at(-1)];
    const [ofFirst = 0, ofLast = 0] = [counts[0], counts.at(-1)];
    if (ofFirst >= separators - index && ofLast >= index) {
      isDoubtful = true;
      if (ofLast === index)
        candidates.push({
          begun: () => [...fields.slice(0, index), ...first.split(delimiter)],
          fields: () => [...last.split(delimiter), ...fields.slice(index + 1)],
        });
    }
    for (const [at, line] of lines.slice(1, -1).entries()) {
      const count = counts[at + 1] ?? 0;
      if (count >= separators) isDoubtful = true;
      if (count === separators) candidates.push({ fields: () => line.split(delimiter) });
    }
  }
  if (candidates.length > maxCandidates) return 'rows-within-text';
  if (candidates.length > 0 && holdsRow(candidates, fields, rowFrom, read)) return 'rows-within-text';
  return isDoubtful ? 'text-may-hold-rows' : undefined;
}

function holdsRow(
  candidates: readonly Candidate[],
  own: readonly string[],
  rowFrom: (fields: readonly string[]) => object,
  read: RowReader,
): boolean {
  const results = read(candidates.map((one) => rowFrom(one.fields())));
  const readable = candidates.flatMap(({ begun }, at) => {
    const result = results[at];
    return result !== undefined && 'doubts' in result ? [{ begun: begun?.(), result }] : [];
  });
  // Most texts end here, so what their lines are compared with is not read.
  if (readable.length === 0) return false;
  const [ofOwn, ...ofBegun] = read([own, ...readable.map(({ begun = own }) => begun)].map(rowFrom));
  const known = ofOwn !== undefined && 'doubts' in ofOwn ? ofOwn.doubts : [];
  const isGood = (result: ReadRow | undefined) =>
    result !== undefined && 'doubts' in result && result.doubts.every((doubt) => known.includes(doubt));
  return readable.some(({ begun, result }, at) => {
    if (!isGood(result)) return false;
    if (begun === undefined) return true;
    // A row that the mapping leaves out, or that cannot be read, may begin the text of another one.
    const isWhole = begun.length === own.length && isGood(ofBegun[at]);
    return isWhole || ofBegun[at]?.kind === 'left-out' || ofOwn?.kind === 'unreadable';
  });
}
