import { CsvError, type Options } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import type { ReadColumns } from '../../contract/imports/columns.ts';
import { maskNumbers } from '../../contract/phone/mask.ts';
import { normalForm } from '../../contract/text/normal-form.ts';

import { CommandFailure } from '../target/errors.ts';
import { sanitize } from '../text/sanitize.ts';
import { conversion, headText, type TextFile } from './text-file.ts';

/** How the rows of a CSV file are read. */
export interface CsvLayout {
  /** The columns that the mapping names. */
  readonly named: ReadonlySet<string>;
  readonly delimiter: string;
  /** The line of the header, from 1. */
  readonly fromLine: number;
  /** The key of each column in a row. A column that the mapping names has the mapping's spelling. */
  readonly keys: readonly string[];
  /** Whether a quote has no meaning. */
  readonly isUnquoted: boolean;
}

/** A column that the mapping names and the file does not have. */
export interface MissingColumn {
  readonly column: string;
  /** Its place in the mapping: `only`, `report.recipient` or `replies.from`. */
  readonly field: string;
}

interface Header {
  readonly names: readonly string[];
  readonly delimiter: string;
  readonly fromLine: number;
}

const delimiters = [',', ';', '\t', '|'];

/** Excel reads the delimiter from a first line such as `sep=;`. */
const separatorLine = /^"?sep=([^\r\n"])"?(?:\r\n|\n|\r)/i;

/**
 * Reads the header of a CSV file.
 *
 * @param needs the fields that an import needs, so that a missing column of theirs is an error
 * @param isUnquoted whether a quote has no meaning
 * @throws CommandFailure for a missing or ambiguous column, which names the columns of the file
 */
export function readLayout(
  file: TextFile,
  columns: readonly ReadColumns[],
  needs: ReadonlySet<string>,
  isUnquoted: boolean,
): { readonly layout: CsvLayout; readonly missing: readonly MissingColumn[] } {
  const text = headText(file);
  const header = readHeader(file.path, text, columns, isUnquoted);
  const spellings = new Map(namesOf(columns).map((name) => [comparable(name), name]));
  refuseDuplicates(file.path, header, spellings);
  const present = new Set(header.names.map(comparable));
  const missing = columns.flatMap(({ field, alternatives }) =>
    [...new Set(alternatives.flat())]
      .filter((column) => !present.has(comparable(column)))
      .map((column) => ({ column, field })),
  );
  const unreadable = columns.filter((one) => needs.has(one.field) && !isReadable(one, present));
  const [first] = unreadable;
  if (first !== undefined) {
    const namesIn = (field: string) =>
      missing.filter((one) => one.field === field).map(({ column }) => column);
    const lacks = unreadable.map(
      ({ field }) => `no column ${listed(namesIn(field))}, which "${field}" of the mapping names`,
    );
    throw new CommandFailure(
      [
        `${file.path}: the file has ${lacks.join('; ')}. Nothing was imported.`,
        ...(isRow(header.names) ? [] : [`Columns of the file: ${listed(header.names)}`]),
        causeOf(file.path, text, header, namesIn(first.field), first),
      ].join('\n'),
    );
  }
  const seen = new Set<string>();
  const keys = header.names.map((name, index) => {
    const key = spellings.get(comparable(name)) ?? clean(name);
    // Columns that the mapping does not name keep their values for the file of rejected rows.
    const isTaken = key === '' || seen.has(key);
    seen.add(key);
    return isTaken ? `${key} (column ${index + 1})`.trimStart() : key;
  });
  const { delimiter, fromLine } = header;
  return { layout: { named: new Set(spellings.values()), delimiter, fromLine, keys, isUnquoted }, missing };
}

/** `only` needs all of its columns: without one it may be true for rows that it is there to leave out. */
function isReadable({ field, alternatives }: ReadColumns, present: ReadonlySet<string>): boolean {
  const isComplete = (names: readonly string[]) => names.every((name) => present.has(comparable(name)));
  if (field === 'only' || field === 'replies.only') return alternatives.every(isComplete);
  return alternatives.length === 0 || alternatives.some(isComplete);
}

function namesOf(columns: readonly ReadColumns[]): string[] {
  return columns.flatMap(({ alternatives }) => alternatives.flat());
}

/** Removes blanks and invisible characters around a name, such as a second byte order mark. */
function clean(name: string): string {
  // An expression for the end of the name would read blanks within it again from each of them.
  const [kept = ''] = /[^\s\p{Cf}](?:.*[^\s\p{Cf}])?/su.exec(normalForm(name, 'NFC')) ?? [];
  return kept;
}

/** Two names are the same if people cannot tell them apart: composed or decomposed letters, and any blanks. */
function comparable(name: string): string {
  return clean(name).replace(/\s+/g, ' ');
}

/** @throws CommandFailure for a text without a header */
function readHeader(
  path: string,
  text: string,
  columns: readonly ReadColumns[],
  isUnquoted: boolean,
): Header {
  const header = findHeader(text, columns, isUnquoted);
  if (header !== undefined) return header;
  const why =
    text.trim() === ''
      ? 'The file is empty'
      : 'In its first line a quote is not closed or stands within a name, or the line is too long';
  throw new CommandFailure(`${path}: not CSV. ${why}. Expected a first line with the names of the columns.`);
}

/** The fields are separated by the character that gives most columns of the mapping, and then most columns. */
function findHeader(text: string, columns: readonly ReadColumns[], isUnquoted = false): Header | undefined {
  const [line = '', declared] = separatorLine.exec(text) ?? [];
  const fromLine = line === '' ? 1 : 2;
  const wanted = new Set(namesOf(columns).map(comparable));
  const headers = (declared === undefined ? delimiters : [declared]).flatMap((delimiter) => {
    // With another delimiter than that of the file, quotes stand within fields.
    const [names] = recordsIn(text.slice(line.length), {
      delimiter,
      to: 1,
      relax_quotes: false,
      ...(isUnquoted && unquotedRules),
    });
    return names === undefined ? [] : [{ names, delimiter, fromLine }];
  });
  const found = ({ names }: Header) => names.filter((name) => wanted.has(comparable(name))).length;
  return headers.toSorted((a, b) => found(b) - found(a) || b.names.length - a.names.length)[0];
}

/** Parses the first records of a text; none if it is not CSV. */
export function recordsIn(text: string, options: Options): readonly (readonly string[])[] {
  try {
    return parse(text, {
      ...csvRules,
      relax_column_count: true,
      ...options,
    });
  } catch (error) {
    if (error instanceof CsvError) return [];
    throw error;
  }
}

/** How CSV is parsed, header and rows. */
export const csvRules = {
  // Where two files were joined, their line breaks may differ.
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  // A blank may stand between a delimiter and a quote.
  ltrim: true,
};

/** How CSV is parsed in which a quote has no meaning. */
export const unquotedRules = { quote: null, escape: null };

function refuseDuplicates(path: string, { names }: Header, spellings: ReadonlyMap<string, string>): void {
  for (const [key, name] of spellings) {
    const positions = names.flatMap((other, index) => (comparable(other) === key ? [index + 1] : []));
    if (positions.length > 1)
      throw new CommandFailure(
        `${path}: the columns ${positions.join(' and ')} have the same name ${quoted(name)}, so it is unclear which one the mapping means. Give each column its own name in the first line, or remove the columns that are not needed. Nothing was imported.`,
      );
  }
}

/** Finds the probable cause of missing columns, and says what to do. */
function causeOf(
  path: string,
  text: string,
  { names }: Header,
  missing: readonly string[],
  { field, expression }: ReadColumns,
): string {
  const [name = ''] = missing;
  if (name.includes('\ufffd')) return 'The mapping itself is not UTF-8. Save it as UTF-8.';
  if (names.some((one) => one.includes('\ufffd')))
    return 'The file has U+FFFD where letters were lost in an earlier conversion. Export it again as UTF-8.';
  const other = names.find((one) => comparable(one).toLowerCase() === comparable(name).toLowerCase());
  if (other !== undefined)
    return `The letter case differs: the file has ${quoted(other)}. Write the name in the mapping as the file has it.`;
  if (names.some((one) => comparable(one) === expression))
    return `A name with points needs quotes in the mapping: ${JSON.stringify(JSON.stringify(expression))}.`;
  if (names.some((one) => comparable(decodedTwice(one)) === comparable(name)))
    return `The file was encoded twice. Convert it back: ${conversion(path, 'UTF-8').replace('-t UTF-8', '-t WINDOWS-1252')}`;
  const at = rowOfName(text, name);
  if (at > 0)
    return `Row ${at + 1} has this name. Remove the ${at === 1 ? 'row' : `${at} rows`} above the header.`;
  if (isRow(names))
    return 'The first line looks like a row, and not like a header. Add a first line with the names of the columns.';
  if (names.length === 1)
    return `The first line has one column. Separate the fields by one of: comma, semicolon, tab, | (a first line such as "sep=:" names another character).`;
  const isOptional = ['report.recipient', 'report.errorCode', 'replies.replyId'].includes(field);
  const near = nearestNames(name, names.map(clean));
  return near.length === 0
    ? `Correct the name in the mapping, or export the file with this column.${isOptional ? ` If the service exports none, remove "${field}" from the mapping.` : ''}`
    : `Similar: ${near.slice(0, 3).map(quoted).join(', ')}. Correct the name in the mapping.`;
}

/** Returns how many rows are above the one that has a name, with any delimiter; -1 if no row has it. */
function rowOfName(text: string, name: string): number {
  const found = delimiters.map((delimiter) =>
    recordsIn(text, { delimiter, to: maxSearched, relax_quotes: true }).findIndex((record) =>
      record.map(comparable).includes(comparable(name)),
    ),
  );
  return Math.max(...found);
}

/** Records that are searched for a header that is not the first. */
const maxSearched = 20;
const maxShown = 50;
const maxNameLength = 60;

function listed(names: readonly string[]): string {
  return names.slice(0, maxShown).map(quoted).join(', ');
}

function quoted(name: string): string {
  return `"${maskNumbers(sanitize(clean(name))).slice(0, maxNameLength)}"`;
}

/** Reports whether names are the values of a row, which are personal data: a number, a time or a long text. */
function isRow(names: readonly string[]): boolean {
  return names.some((name) => /\d{6,}/.test(name.replace(/[\s\p{P}\p{S}]/gu, '')) || name.length > 100);
}

/** Reads UTF-8 that was taken for Windows-1252 and encoded again: `EmpfÃ¤nger`. Returns the text unchanged if it is none. */
function decodedTwice(name: string): string {
  const bytes = Buffer.from(name, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? name : text;
}

/** Encodings in which a spreadsheet saves CSV, by the language of the machine: the names that TextDecoder and iconv have for them. */
const guesses: readonly (readonly [label: string, iconv: string])[] = [
  ['windows-1252', 'WINDOWS-1252'],
  ['macintosh', 'MACINTOSH'],
  ['windows-1250', 'WINDOWS-1250'],
  ['windows-1251', 'WINDOWS-1251'],
  ['shift_jis', 'SHIFT_JIS'],
  ['gb18030', 'GB18030'],
];

/** Says in which encoding a file that is not UTF-8 probably is, and how to convert it. A header that has the mapping's columns is evidence. */
export function describeEncoding(path: string, columns: readonly ReadColumns[], head: Uint8Array): string {
  const special = namesOf(columns).filter((name) => /[^\p{ASCII}]/u.test(name));
  for (const [label, encoding] of guesses) {
    const names = findHeader(new TextDecoder(label).decode(head), columns)?.names ?? [];
    const found = special.filter((name) => names.map(comparable).includes(comparable(name)));
    if (found.length === 0) continue;
    return [
      `The file is ${encoding}, so it has no readable column ${found.map(quoted).join(', ')}, which the mapping names.`,
      ...(isRow(names) ? [] : [`Columns of the file, read as ${encoding}: ${listed(names)}`]),
      advice(path, encoding),
    ].join('\n');
  }
  return `The file is probably WINDOWS-1252. ${advice(path, 'WINDOWS-1252')}`;
}

function advice(path: string, encoding: string): string {
  return `Save it as "CSV UTF-8" if a spreadsheet wrote it, or convert it: ${conversion(path, encoding)}`;
}
