import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { CsvError, parse } from 'csv-parse';
import { isObject, parseExactly } from '../../contract/text/json.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';

/** A row of a file. */
export interface FileRow {
  /** The number of the line in which the row ends, from 1. */
  readonly line: number;
  readonly value: unknown;
  /** Why the row is no row; undefined for most. */
  readonly problem?: string;
}

export type RowFormat = 'csv' | 'jsonl';

/** A longer row of CSV is a quote that is not closed, and would fill the memory. */
const maxRowBytes = 1_000_000;

/**
 * Reads the rows of a file one after another, never the whole file. A row of CSV is an object of texts by the names of the header. Its
 * fields are separated by commas, semicolons or tabs: by that of which the header has most.
 *
 * @param skip how many rows to leave out from the beginning
 * @throws CommandFailure for a file that cannot be read or is not CSV
 */
export async function* readRows(path: string, format: RowFormat, skip = 0): AsyncGenerator<FileRow, void> {
  const rows = format === 'csv' ? csvRows(path) : jsonRows(path);
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read > skip) yield row;
  }
}

/** A row as the parser makes it with `info`. */
interface ParsedRow {
  readonly record: Readonly<Record<string, unknown>>;
  readonly info: { readonly lines: number; readonly error?: unknown };
}

async function* csvRows(path: string): AsyncGenerator<FileRow, void> {
  const delimiter = await delimiterOf(path);
  const parser = parse({
    delimiter,
    ...{ bom: true, columns: true, info: true, skip_empty_lines: true, max_record_size: maxRowBytes },
    // A row with too many or too few fields is one row that cannot be read, and not the end of the import.
    ...{ relax_column_count: true, relax_quotes: true },
  });
  const file = createReadStream(path);
  file.on('error', (error) => parser.destroy(error));
  // The parser counts a line break of two characters within a text twice.
  let countedTwice = 0;
  function rowOf({ record, info }: ParsedRow): FileRow {
    const isUneven = info.error !== undefined;
    for (const text of Object.values(record))
      if (typeof text === 'string') countedTwice += text.split('\r\n').length - 1;
    return {
      line: info.lines - countedTwice,
      value: record,
      ...(isUneven && { problem: 'wrong-number-of-fields' }),
    };
  }
  try {
    for await (const row of file.pipe(parser)) yield rowOf(row);
  } catch (error) {
    // The iteration ends at once, and leaves the rows that were parsed before the error in the parser.
    for (let row: ParsedRow | null = parser.read(); row !== null; row = parser.read()) yield rowOf(row);
    // The message of the error may quote the file, which holds numbers and texts.
    if (error instanceof CsvError)
      throw new CommandFailure(
        `${path}: not CSV (${error.code}, line ${String(error.lines)}). Correct the file, and import it with --restart: rows that are stored already change nothing.`,
      );
    throw error;
  } finally {
    file.destroy();
  }
}

/** The first line of a file is its header, and a longer one is no header. */
const maxHeaderBytes = 65_536;

async function delimiterOf(path: string): Promise<string> {
  let text = '';
  for await (const part of createReadStream(path, { encoding: 'utf8', end: maxHeaderBytes })) text += part;
  // Names in quotes may have commas.
  const [header = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const countOf = (delimiter: string) => header.split(delimiter).length;
  // Excel writes semicolons where numbers have a decimal comma.
  return [',', ';', '\t'].reduce((best, other) => (countOf(other) > countOf(best) ? other : best));
}

async function* jsonRows(path: string): AsyncGenerator<FileRow, void> {
  const file = createReadStream(path);
  try {
    let line = 0;
    for await (const text of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      const json = line === 1 ? text.replace(/^\ufeff/, '') : text;
      if (json.trim() === '') continue;
      // A line that is not JSON is kept as its text, for the file of rejected rows.
      const value = parseExactly(json) ?? json;
      yield { line, value, ...(!isObject(value) && { problem: 'not-a-json-object' }) };
    }
  } finally {
    file.destroy();
  }
}

/** What a file is before its rows are read. */
interface FileFacts {
  /** SHA-256 of its bytes. */
  readonly hash: string;
  /** The number of its line breaks, which is about the number of its rows. */
  readonly lines: number;
}

/** Reads a whole file once, a part at a time. @throws CommandFailure for a file that cannot be read */
export function inspectFile(path: string): Promise<FileFacts> {
  return explainFileErrors(
    (code) => `${path}: cannot be read (${code})`,
    async () => {
      const hash = createHash('sha256');
      let lines = 0;
      for await (const part of createReadStream(path) as AsyncIterable<Buffer>) {
        hash.update(part);
        for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) lines += 1;
      }
      return { hash: hash.digest('base64url'), lines };
    },
  );
}
