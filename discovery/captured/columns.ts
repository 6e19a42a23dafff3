import { leavesOf, type Place, pathOf } from '../../contract/events/places.ts';
import { splitAddress } from '../../contract/phone/address.ts';
import { parseTime, type TimeFormat } from '../../contract/text/time.ts';
import { type Encoding, encodingOfNumbers, encodingOfTexts } from './encoded-values.ts';
import { type FieldName, nameOf, nameWeight, roleNames } from './field-names.ts';

/** A value of a body that holds no other values. */
export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Reports whether the pipeline treats a value as missing. */
export function isBlank(value: Scalar | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/**
 * Recognises a phone number as people and services write it: 7 to 15 digits (E.164, section 6) with separators, also in an address such as
 * `tel:+12025550143`.
 */
export function isPhone(value: Scalar): boolean {
  const { address: text, isId } = splitAddress(String(value));
  return isId !== true && /^\+?[\d\s().-]{7,24}$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''));
}

/** Returns the format of a time, or undefined. Numbers count as Unix times from 2001 to 2033, and after that as the dates of SMPP. */
export function timeFormatOf(value: Scalar): TimeFormat | undefined {
  const text = String(value);
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number >= 1e9 && number < 2e9) return 'unix-seconds';
    if (/^(?:2\d|3[0-2])\d{8}(?:\d\d)?$/.test(text) && parseTime('smpp', text) !== undefined) return 'smpp';
    if (/^20[0-4]\d{11}$/.test(text) && parseTime('compact', text) !== undefined) return 'compact';
    return number >= 1e12 && number < 2e12 ? 'unix-milliseconds' : undefined;
  }
  return (['iso8601', 'rfc2822', 'dotted', 'javascript'] as const).find(
    (format) => parseTime(format, text) !== undefined,
  );
}

/** Recognises an id: one word, or a whole number. */
export function isId(value: Scalar): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\S{1,256}$/.test(value);
}

/** One field of several events. */
export interface Column {
  /** JMESPath from the event. */
  readonly path: string;
  readonly name: FieldName;
  /** JMESPath to the object that holds the field; '' for the event itself. */
  readonly holder: string;
  /** The value in each event, in the order of the events, decoded. */
  readonly values: readonly (Scalar | undefined)[];
  /** How the values are encoded in the events. Left out if they are not; otherwise the path decodes them. */
  readonly encoding?: Encoding;
}

/** No message service has more fields, and a capture keeps what strangers send. So further ones are not searched. */
const maxFields = 400;

/**
 * Lists all fields of some events, each with its value in every event. Null is no value. Of a list inside an event, only the first element
 * counts. Of more than 400 fields, those that most events have are listed.
 */
export function columnsOf(events: readonly unknown[]): Column[] {
  return rawColumnsOf(events).map(decoded);
}

/** Lists all fields as {@link columnsOf} does, with their values as received. */
export function rawColumnsOf(events: readonly unknown[]): Column[] {
  const fields = [...countFields(events)];
  const listed =
    fields.length > maxFields
      ? fields.sort(([, a], [, b]) => b.events - a.events).slice(0, maxFields)
      : fields;
  const columns = new Map(
    listed.map(([path, { place }]) => [
      path,
      { place, values: events.map((): Scalar | undefined => undefined) },
    ]),
  );
  for (const { path, index, value } of fieldsOf(events)) {
    const column = columns.get(path);
    if (column !== undefined) column.values[index] = value;
  }
  return [...columns].map(([path, { place, values }]) => ({
    path,
    name: nameOf(place),
    holder: pathOf(place.slice(0, -1)),
    values,
  }));
}

/** Reports whether some events have more fields than {@link columnsOf} lists. */
export function hasMoreFields(events: readonly unknown[]): boolean {
  return countFields(events).size > maxFields;
}

/** Counts for each field the events that have it. */
function countFields(events: readonly unknown[]): Map<string, { readonly place: Place; events: number }> {
  const counts = new Map<string, { readonly place: Place; events: number }>();
  for (const { path, place } of fieldsOf(events)) {
    const count = counts.get(path) ?? { place, events: 0 };
    count.events += 1;
    counts.set(path, count);
  }
  return counts;
}

/** Lists the fields of each event, and one more than are searched, which shows that there are more. */
function* fieldsOf(events: readonly unknown[]) {
  for (const [index, event] of events.entries())
    for (const { place, value } of leavesOf(event).take(maxFields + 1))
      if (isScalar(value) || value === null)
        yield { path: pathOf(place), place, index, value: value ?? undefined };
}

/** From this weight on, a name is that of a text. */
const minTextWeight = 60;

/** Decodes the values of a field if they are encoded once more. Only texts of people and numbers are: an id may look encoded. */
function decoded(column: Column): Column {
  const texts = filled(column).filter((value) => typeof value === 'string');
  if (texts.length === 0 || texts.length < filled(column).length) return column;
  const isText = nameWeight(column.name, roleNames.text) >= minTextWeight;
  const encoding = encodingOfNumbers(texts) ?? (isText ? encodingOfTexts(texts) : undefined);
  if (encoding === undefined) return column;
  const decode = (value: Scalar | undefined) =>
    typeof value === 'string' ? String(encoding.decode(value)) : value;
  return { ...column, path: encoding.expression(column.path), values: column.values.map(decode), encoding };
}

/** Lists the values that are present and not blank. */
export function filled({ values }: Column): Scalar[] {
  return values.flatMap((value) => (value === undefined || isBlank(value) ? [] : [value]));
}

export function distinct(values: readonly Scalar[]): Set<string> {
  return new Set(values.map(String));
}

/** Counts the events in which the field has a value. */
export function coverage({ values }: Column): number {
  return values.filter((value) => !isBlank(value)).length;
}
