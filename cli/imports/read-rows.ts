import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ReadColumns } from '../../contract/imports/columns.ts';
import type { RowReader } from '../../contract/imports/row-reader.ts';
import { isDeeperThan, isObject, maxBodyDepth, parseJson } from '../../contract/text/json.ts';
import { CommandFailure } from '../target/errors.ts';
import {
  type CsvLayout,
  csvRules,
  describeEncoding,
  type MissingColumn,
  readLayout,
  unquotedRules,
} from './csv-layout.ts';
import { examineQuotes } from './swallowed-rows.ts';
import { inspectTextFile, lineBreak, readText, type TextFile } from './text-file.ts';

/** A row of a file. */
export interface FileRow {
  /** The number of the line in which the row ends, from 1. */
  readonly line: number;
  /** The line in which it begins, if it has several. */
  readonly firstLine?: number;
  readonly value: unknown;
  /** Why the row is no row; undefined for most. */
  readonly problem?: string;
  readonly doubt?: FileDoubt;
}

/** What is doubtful about the quotes of a row. */
export const fileDoubts = ['text-may-hold-rows', 'stray-quote'] as const;
type FileDoubt = (typeof fileDoubts)[number];

export type RowFormat = 'csv' | 'jsonl';

/** A longer row is a quote that is not closed or no row, and would fill the memory. */
const maxRowBytes = 1_000_000;

/** A file whose rows can be read. */
export interface ImportFile extends TextFile {
  /** How rows of CSV are read; undefined for JSON lines. */
  readonly layout: CsvLayout | undefined;
  /** Columns that the mapping names and the file does not have. The import needs none of them. */
  readonly missing: readonly MissingColumn[];
}

/**
 * Reads a whole file once, a part at a time, and compares its columns with those that the mapping reads.
 *
 * @param needs the fields of the mapping whose columns the file must have
 * @param isUnquoted whether a quote in CSV has no meaning
 * @throws CommandFailure for a file that cannot be read, is not text, or lacks a column
 */
export async function inspectFile(
  path: string,
  format: RowFormat,
  columns: readonly ReadColumns[] = [],
  needs: ReadonlySet<string> = new Set(),
  isUnquoted = false,
): Promise<ImportFile> {
  const file = await inspectTextFile(path, (head) => describeEncoding(path, columns, head));
  if (format === 'jsonl') return { ...file, layout: undefined, missing: [] };
  return { ...file, ...readLayout(file, columns, needs, isUnquoted) };
}

/**
 * Reads the rows of a file one after another, never the whole file. A row of CSV is an object of texts by the names of the header.
 *
 * @param read reads a line of a text, which may be a row
 * @param skip how many rows to leave out from the beginning
 * @throws CommandFailure for a file that cannot be read or is not CSV
 */
export async function* readRows(file: ImportFile, read: RowReader, skip = 0): AsyncGenerator<FileRow, void> {
  const { layout } = file;
  const rows = layout === undefined ? jsonRows(file) : csvRows(file, layout, read);
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > skip) yield row;
  }
}

/** How many rows are read, compared and stored together. */
const rowsInChunk = 1000;

/** Divides rows into chunks. @throws as the rows, after the last chunk before the error */
export async function* chunksOf(rows: AsyncIterable<FileRow>): AsyncGenerator<readonly FileRow[], void> {
  let chunk: FileRow[] = [];
  try {
    for await (const row of rows) {
      chunk.push(row);
      if (chunk.length < rowsInChunk) continue;
      yield chunk;
      chunk = [];
    }
  } catch (error) {
    if (chunk.length > 0) yield chunk;
    throw error;
  }
  if (chunk.length > 0) yield chunk;
}

/** A row as the parser makes it with `info`. */
interface ParsedRow {
  readonly record: readonly string[];
  /** As in the file. */
  readonly raw: string;
  readonly info: { readonly lines: number };
}

async function* csvRows(file: TextFile, layout: CsvLayout, read: RowReader): AsyncGenerator<FileRow, void> {
  const { delimiter, fromLine, keys, named, isUnquoted } = layout;
  const parser = parse({
    ...csvRules,
    ...(isUnquoted && unquotedRules),
    delimiter,
    from_line: fromLine,
    info: true,
    raw: true,
    max_record_size: maxRowBytes,
    // A row with too many or too few fields is one row that cannot be read, and not the end of the import.
    relax_column_count: true,
    relax_quotes: true,
  });
  const text = Readable.from(readText(file));
  text.on('error', (error) => parser.destroy(error));
  let lastLine = fromLine - 1;
  // The parser counts a line break of two characters within a text twice.
  let countedTwice = 0;
  let isHeader = true;
  const rowFrom = (fields: readonly string[]) =>
    Object.fromEntries(
      keys.slice(0, fields.length).map((key, index) => {
        const field = fields[index] ?? '';
        if (!named.has(key)) return [key, field];
        // No id, number, time, status or code has blanks or quotes around it.
        return [key, isUnquoted ? field.trim() : field.trim().replace(/^"([^"]*)"$/, '$1')];
      }),
    );
  function rowOf({ record, raw, info }: ParsedRow): FileRow {
    for (const field of record) countedTwice += field.split('\r\n').length - 1;
    lastLine = info.lines - countedTwice;
    const breaks = raw.trim().split(lineBreak).length - 1;
    const finding = isUnquoted || isHeader ? undefined : examineQuotes(raw, layout, rowFrom, read);
    const doubt = fileDoubts.find((one) => one === finding);
    const isWrongLength = record.length !== keys.length;
    const problem =
      doubt === undefined && finding !== undefined
        ? finding
        : isWrongLength
          ? 'wrong-number-of-fields'
          : undefined;
    return {
      line: lastLine,
      ...(breaks > 0 && { firstLine: lastLine - breaks }),
      value: rowFrom(record),
      ...(problem !== undefined && { problem }),
      ...(problem === undefined && doubt !== undefined && { doubt }),
    };
  }
  function* rowsOf(row: ParsedRow): Generator<FileRow, void> {
    const one = rowOf(row);
    if (!isHeader) yield one;
    isHeader = false;
  }
  try {
    for await (const row of text.pipe(parser)) yield* rowsOf(row);
  } catch (error) {
    // The iteration ends at once, and leaves the rows that were parsed before the error in the parser.
    for (let row: ParsedRow | null = parser.read(); row !== null; row = parser.read()) yield* rowsOf(row);
    // The message of the error may quote the file, which holds numbers and texts.
    if (error instanceof CsvError)
      throw new CommandFailure(
        `${file.path}: not CSV (${error.code}): ${brokenRows[error.code] ?? 'a row cannot be read'}. The row begins in line ${await lineOfNextRow(file, lastLine)}. Correct the file, and run the command again.${isUnquoted ? '' : ` ${quotesAdvice}.`}`,
      );
    throw error;
  } finally {
    text.destroy();
  }
}

/** What to do about quotes that have no meaning. */
export const quotesAdvice =
  'If the export does not put texts into quotes, or does not write a quote within a text twice, make it again as JSON lines, or set "quotes": "none" in the mapping if it quotes no text';

/** Says what is wrong with a row, by the code of the parser. */
const brokenRows: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${maxRowBytes} bytes, probably because a quote is not closed`,
};

/** Returns the line in which the row after a line begins. The parser only says where it gave up. */
async function lineOfNextRow(file: TextFile, lastLine: number): Promise<number> {
  let line = 1;
  let rest = '';
  for await (const part of readText(file)) {
    const texts = (rest + part).split(lineBreak);
    const found = texts.findIndex((text, index) => line + index > lastLine && text.trim() !== '');
    if (found >= 0) return line + found;
    line += texts.length - 1;
    rest = texts.at(-1)?.endsWith('\r') === true ? '\r' : '';
  }
  return lastLine + 1;
}

async function* jsonRows(file: TextFile): AsyncGenerator<FileRow, void> {
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    if (text.trim() === '') continue;
    yield { line, ...readJson(text) };
  }
}

/** Splits a file into lines. `readline` would also split a row at U+2028, which a text in JSON may have. */
async function* linesOf(file: TextFile): AsyncGenerator<string, void> {
  let rest = '';
  for await (const part of readText(file)) {
    const lines = (rest + part).split(lineBreak);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxRowBytes)
      throw new CommandFailure(
        `${file.path}: not JSON lines: a line is longer than ${maxRowBytes} characters. Expected one JSON object a line.`,
      );
  }
  if (rest !== '') yield rest;
}

/** A line that is not a row is kept as its text, for the file of rejected rows. */
function readJson(text: string): Pick<FileRow, 'value' | 'problem'> {
  const value = parseJson(text);
  if (!isObject(value)) return { value: value ?? text, problem: 'not-a-json-object' };
  // Both what follows and a reviver visit the whole object. The row reader rejects deep ones.
  if (isDeeperThan(maxBodyDepth, value)) return { value };
  if (countKeys(value) < countWrittenKeys(text)) return { value: text, problem: 'duplicate-key' };
  return { value: /\d{16}|\de/i.test(text) ? JSON.parse(text, keepDigits) : value };
}

/** Counts the keys in a text of JSON: the texts in quotes that have a colon behind them. */
function countWrittenKeys(text: string): number {
  return text
    .matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)
    .filter(([, colon]) => colon !== undefined)
    .toArray().length;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + countKeys(one), Array.isArray(value) ? 0 : inner.length);
}

/** Keeps the text of a number whose digits are lost or would be lost: one of many digits, and one in scientific notation. */
function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  const isText = source !== undefined && /^-?(?:\d{16,}|\d+(?:\.\d+)?e\+?\d+)$/i.test(source);
  return typeof value === 'number' && isText ? source : value;
}
