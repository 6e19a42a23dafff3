import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { ReadColumns } from '../../contract/imports/columns.ts';
import { isDeeperThan, isObject, maxBodyDepth, parseJson } from '../../contract/text/json.ts';
import { CommandFailure } from '../target/errors.ts';
import { type CsvLayout, csvRules, describeEncoding, type MissingColumn, readLayout } from './csv-layout.ts';
import { inspectTextFile, readText, type TextFile } from './text-file.ts';

/** A row of a file. */
export interface FileRow {
  /** The number of the line in which the row ends, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Why the row is no row; undefined for most. */
  readonly problem?: string;
}

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
 * @throws CommandFailure for a file that cannot be read, is not text, or lacks a column
 */
export async function inspectFile(
  path: string,
  format: RowFormat,
  columns: readonly ReadColumns[] = [],
  needs: ReadonlySet<string> = new Set(),
): Promise<ImportFile> {
  const file = await inspectTextFile(path, (head) => describeEncoding(path, columns, head));
  if (format === 'jsonl') return { ...file, layout: undefined, missing: [] };
  return { ...file, ...readLayout(file, columns, needs) };
}

/**
 * Reads the rows of a file one after another, never the whole file. A row of CSV is an object of texts by the names of the header.
 *
 * @param skip how many rows to leave out from the beginning
 * @throws CommandFailure for a file that cannot be read or is not CSV
 */
export async function* readRows(file: ImportFile, skip = 0): AsyncGenerator<FileRow, void> {
  const { layout } = file;
  const rows = layout === undefined ? jsonRows(file) : csvRows(file, layout);
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read > skip) yield row;
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
  readonly record: Readonly<Record<string, unknown>>;
  /** As in the file. */
  readonly raw: string;
  readonly info: { readonly lines: number; readonly error?: unknown };
}

async function* csvRows(
  file: TextFile,
  { delimiter, fromLine, keys, named, crlfInNames }: CsvLayout,
): AsyncGenerator<FileRow, void> {
  const parser = parse({
    ...csvRules,
    delimiter,
    from_line: fromLine,
    columns: () => [...keys],
    info: true,
    raw: true,
    max_record_size: maxRowBytes,
    // No id, number, time, status or code has blanks or quotes around it.
    cast: (value, { column }) =>
      named.has(String(column)) ? value.trim().replace(/^"([^"]*)"$/, '$1') : value,
    // A row with too many or too few fields is one row that cannot be read, and not the end of the import.
    relax_column_count: true,
    relax_quotes: true,
  });
  const text = Readable.from(readText(file));
  text.on('error', (error) => parser.destroy(error));
  // A name in the header may have line breaks.
  let lastLine = fromLine + keys.join('').split(lineBreak).length - 1;
  // The parser counts a line break of two characters within a text twice.
  let countedTwice = crlfInNames;
  function rowOf({ record, raw, info }: ParsedRow): FileRow {
    const problem = problemOf(raw, info);
    for (const text of Object.values(record))
      if (typeof text === 'string') countedTwice += text.split('\r\n').length - 1;
    lastLine = info.lines - countedTwice;
    return {
      line: lastLine,
      value: record,
      ...(problem !== undefined && { problem }),
    };
  }
  try {
    for await (const row of text.pipe(parser)) yield rowOf(row);
  } catch (error) {
    // The iteration ends at once, and leaves the rows that were parsed before the error in the parser.
    for (let row: ParsedRow | null = parser.read(); row !== null; row = parser.read()) yield rowOf(row);
    // The message of the error may quote the file, which holds numbers and texts.
    if (error instanceof CsvError)
      throw new CommandFailure(
        `${file.path}: not CSV (${error.code}): ${brokenRows[error.code] ?? 'a row cannot be read'}. The row begins in line ${await lineOfNextRow(file, lastLine)}. Correct the file, and run the command again.`,
      );
    throw error;
  } finally {
    text.destroy();
  }
}

/** A quote that is not closed swallows the next row up to its first quote. The quotes of a row come in pairs, as do those within a text. */
function problemOf(raw: string, { error }: ParsedRow['info']): string | undefined {
  if (lineBreak.test(raw.trim()) && (raw.split('"').length - 1) % 2 === 1) return 'quote-not-closed';
  return error === undefined ? undefined : 'wrong-number-of-fields';
}

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

/** A line break. What follows a carriage return decides whether it is one, so the last character of a part is none yet. */
const lineBreak = /\r?\n|\r(?=[^\n])/;

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
