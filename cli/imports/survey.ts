import { createHash } from 'node:crypto';
import * as z from 'zod';
import { contentId } from '../../contract/events/body.ts';
import { columnsOf } from '../../contract/imports/columns.ts';
import { createFieldReader, type FieldReading, placesOf } from '../../contract/imports/field-readings.ts';
import type { RowReader } from '../../contract/imports/row-reader.ts';
import { maskNumbers, maskPhone } from '../../contract/phone/mask.ts';
import { e164 } from '../../contract/phone/phone-key.ts';
import type { ImportMapping } from '../../contract/schema/import-mapping-schema.ts';
import { isObject } from '../../contract/text/json.ts';
import { formatCount } from '../../functions/base/basics.ts';
import { showReadPhone, type View } from '../output/print.ts';
import { CommandFailure } from '../target/errors.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';
import { chunksOf, type ImportFile, readRows } from './read-rows.ts';

const exampleSchema = z.object({
  cell: z.string().describe('What the row says. Numbers are masked.'),
  becomes: z.string().optional().describe('What is stored; left out if nothing is.'),
});

export const surveySchema = z.object({
  importId: z
    .string()
    .describe(
      'Identifies what is imported: the file, the mapping and the source. --undo removes it by this id.',
    ),
  fields: z
    .array(
      z.object({
        field: z.string(),
        rows: z.int().describe('Rows that have a value.'),
        exact: z.int().describe('Rows of these whose value is read exactly.'),
        examples: z.array(exampleSchema),
      }),
    )
    .describe(
      'How the fields of the mapping are read. A rejected row counts only for the field that is the reason.',
    ),
  unreadColumns: z.array(z.string()).describe('Columns that no expression of the mapping reads.'),
});

/** How a mapping reads a file. It has no whole number of a person, and no text. */
export type Survey = z.output<typeof surveySchema>;

type FieldCount = Survey['fields'][number];
type Example = z.output<typeof exampleSchema>;

/** How the rows of a file are read, and which source they are of. */
interface ImportRules {
  readonly mapping: ImportMapping;
  readonly source: string;
}

/** JSON lines may have a different key in every line. */
const maxUnread = 100;

/**
 * Reads all rows of a file without a database, and counts how the mapping reads them.
 *
 * @param progress is called with the number of rows that were read
 * @throws CommandFailure for a file that cannot be read, and one without a row to import
 */
export async function surveyFile(
  file: ImportFile,
  { mapping, source }: ImportRules,
  read: RowReader,
  progress: (rows: number) => void,
): Promise<Survey> {
  const readFields = createFieldReader(mapping);
  const counters = new Map(placesOf(mapping).map((place) => [place, createFieldCounter(place)]));
  const readColumns = new Set(columnsOf(mapping).flatMap(({ alternatives }) => alternatives.flat()));
  const unread = new Set((file.layout?.keys ?? []).filter((key) => !readColumns.has(key)));
  let rows = 0;
  let leftOut = 0;
  for await (const chunk of chunksOf(readRows(file, read))) {
    const results = read(chunk.map(({ value, problem }) => (problem === undefined ? value : undefined)));
    for (const [index, { value, problem }] of chunk.entries()) {
      const result = results[index];
      if (problem !== undefined || result === undefined) continue;
      if (result.kind === 'left-out') leftOut += 1;
      if (file.layout === undefined && isObject(value) && unread.size < maxUnread)
        for (const key of Object.keys(value)) if (!readColumns.has(key)) unread.add(key);
      for (const reading of readFields(value, result)) counters.get(reading.place)?.add(reading);
    }
    rows += chunk.length;
    progress(rows);
  }
  refuseNothing(file.path, rows, leftOut);
  return {
    importId: importIdOf(file, { mapping, source }),
    fields: [...counters.values()].map((counter) => counter.result()),
    unreadColumns: [...unread].slice(0, maxUnread).map((name) => maskNumbers(sanitize(name))),
  };
}

/** Returns the same id for the same rows, read and stored in the same way, so that a run that is repeated or continued has it too. */
function importIdOf({ hash }: ImportFile, { mapping, source }: ImportRules): string {
  const { about: _about, samples: _samples, ...rules } = mapping;
  const id = createHash('sha256')
    .update(contentId([hash, rules, source]))
    .digest('hex');
  // So long that no author of a file can make one with the id of another file, whose undo would take back both.
  return `imp-${id.slice(0, 32)}`;
}

/** @throws CommandFailure if there is nothing to import */
function refuseNothing(path: string, rows: number, leftOut: number): void {
  if (rows === 0) throw new CommandFailure(`${path}: the file has no row. Nothing was imported.`);
  if (rows === leftOut)
    throw new CommandFailure(
      `${path}: "only" of the mapping leaves out ${rows === 1 ? 'the only row' : `all ${rows} rows`}. Nothing was imported. Compare the expression with a row that it should import.`,
    );
}

const maxExactExamples = 2;

/** Counts the values of a field, and keeps the first two that are read exactly and the first that is not. */
function createFieldCounter(place: string) {
  let [rows, exact] = [0, 0];
  const exactExamples = new Map<string, Example>();
  let inexactExample: Example | undefined;
  const hasExamples = !isFreeText(place);
  return {
    add(reading: FieldReading): void {
      rows += 1;
      if (reading.isExact) exact += 1;
      if (!hasExamples) return;
      if (!reading.isExact) inexactExample ??= exampleOf(reading);
      else if (exactExamples.size < maxExactExamples) {
        const example = exampleOf(reading);
        exactExamples.set(renderExample(example), example);
      }
    },
    result: (): FieldCount => ({
      field: place,
      rows,
      exact,
      examples: [...exactExamples.values(), ...(inexactExample === undefined ? [] : [inexactExample])],
    }),
  };
}

const fieldIn = (place: string) => place.slice(place.indexOf('.') + 1);

/** Texts of people, and what may quote them, are never shown. */
const isFreeText = (place: string) => ['text', 'errorText', 'media'].includes(fieldIn(place));
const isNumber = (place: string) => ['recipient', 'from', 'to'].includes(fieldIn(place));
const isId = (place: string) => /Id$/.test(place);

function exampleOf({ place, cell, becomes, isExact }: FieldReading): Example {
  // A time that was read is no number of a person, although it has as many digits.
  if (fieldIn(place) === 'occurredAt' && isExact) return { cell: sanitize(cell), becomes };
  const shown =
    becomes !== undefined && fieldIn(place) !== 'occurredAt' ? shownReading(place, becomes) : becomes;
  return { cell: shownValue(place, cell), ...(shown !== undefined && { becomes: shown }) };
}

const maxLength = 40;
/** A status or the name of a network may have several words. Ids, codes and prices have one. */
const maxWords: Readonly<Record<string, number>> = { status: 3, carrier: 3 };
/** A date, and maybe a time of the day. */
const timeLike = /^(?:\d{1,2}|\d{4})([-./])\d{1,2}\1(?:\d{4}|\d{1,2})(?:[T ]+\d{1,2}:\d{2}(?::\d{2})?)?$/;
/** Digits with the signs that people, spreadsheets and services write around them. */
const numberLike = /^(?:\p{L}{2,10}:)?[^\p{L}]*(?:E[^\p{L}]*)?$/u;

/** A mapping may name a wrong column, so a value that looks like a text or a number of a person is not shown. */
function shownValue(place: string, value: string): string {
  const text = sanitize(value);
  const field = fieldIn(place);
  if (field === 'occurredAt' && timeLike.test(text)) return text;
  if (isNumber(place) && numberLike.test(text) && text.length <= maxLength) return maskPhone(text);
  const isText =
    isNumber(place) || text.length > maxLength || text.split(' ').length > (maxWords[field] ?? 1);
  if (isText) return `a text of ${formatCount([...text].length, 'character', 'characters')}`;
  // Ids may be long numbers. Those that may be a phone number are masked.
  return isId(place) && !/^\+?[\d().-]{7,20}$/.test(text) ? text : maskNumbers(text);
}

/** The country of a masked number shows with which country code it was read. */
function shownReading(place: string, value: string): string {
  return isNumber(place) && e164.test(value)
    ? showReadPhone(value, { reveal: false })
    : shownValue(place, value);
}

function renderExample({ cell, becomes }: Example): string {
  return becomes === undefined || becomes === cell ? cell : `${cell} → ${becomes}`;
}

const maxShownColumns = 20;

/** Shows how a mapping reads a file, before anything is written. */
export function renderSurvey(file: string, { importId, fields, unreadColumns }: Survey, view: View): string {
  const rows = fields.map(({ field, rows: withValue, exact, examples }) => [
    { text: field },
    { text: String(withValue) },
    { text: String(exact), ...(exact < withValue && { format: 'yellow' as const }) },
    { text: examples.map(renderExample).join('; ') },
  ]);
  const columns = [{ title: 'FIELD' }, { title: 'ROWS' }, { title: 'EXACT' }, { title: 'EXAMPLES' }];
  const more = unreadColumns.length - maxShownColumns;
  return [
    `How the mapping reads ${sanitize(file)} (import ${importId})`,
    '',
    renderTable(columns, rows, view),
    ...(unreadColumns.length === 0
      ? []
      : [
          '',
          `Columns that the mapping does not read: ${unreadColumns.slice(0, maxShownColumns).join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
        ]),
  ].join('\n');
}
