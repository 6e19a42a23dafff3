import { isObject } from '../../events/body.ts';
import { parseTime } from '../../events/time.ts';
import type { EventsContract } from '../../schema/contract-schema.ts';
import { type FieldName, nameOf, pathOf, type Steps } from './field-names.ts';

/** A value of a body that holds no others. */
export type Scalar = string | number | boolean;

export type TimeFormat = EventsContract['timeFormat'];

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Whether a field holds nothing, as the pipeline sees it. */
export function isBlank(value: Scalar | undefined): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

/** As people and services write numbers: 7 to 15 digits (E.164, section 6), with what may stand between. */
export function isPhone(value: Scalar): boolean {
  const text = String(value);
  return /^\+?[\d\s().-]{7,24}$/.test(text) && /^\d{7,15}$/.test(text.replace(/\D/g, ''));
}

/** How a value says a time, or undefined. Unix times are taken as such from 2001 to 2100. */
export function timeFormatOf(value: Scalar): TimeFormat | undefined {
  const text = String(value);
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number >= 1e9 && number < 4.1e9) return 'unix-seconds';
    return number >= 1e12 && number < 4.1e12 ? 'unix-milliseconds' : undefined;
  }
  return parseTime('iso8601', text) === undefined ? undefined : 'iso8601';
}

/** An id is one word, or a number. */
export function isId(value: Scalar): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value)
    : typeof value === 'string' && /^\S{1,256}$/.test(value);
}

/** One field of many events. */
export interface Column {
  /** JMESPath from the event. */
  readonly path: string;
  readonly name: FieldName;
  /** JMESPath to the object that holds it; '' for the event itself. */
  readonly holder: string;
  /** What each event has there, in the order of the events. */
  readonly values: readonly (Scalar | undefined)[];
}

/** No event of a message service has more fields; what has is not worth searching. */
const maxFields = 400;

/** All fields of some events, each with what every event has there. Of a list inside an event only the first element counts. */
export function columnsOf(events: readonly unknown[]): Column[] {
  const found = new Map<string, { steps: Steps; values: (Scalar | undefined)[] }>();
  events.forEach((event, index) => {
    for (const { steps, value } of leavesOf(event)) {
      const path = pathOf(steps);
      const column = found.get(path) ?? { steps, values: events.map(() => undefined) };
      column.values[index] = value;
      found.set(path, column);
    }
  });
  return [...found].map(([path, { steps, values }]) => ({
    path,
    name: nameOf(steps),
    holder: pathOf(steps.slice(0, -1)),
    values,
  }));
}

function leavesOf(event: unknown): { steps: Steps; value: Scalar }[] {
  const leaves: { steps: Steps; value: Scalar }[] = [];
  let level: { steps: Steps; value: unknown }[] = [{ steps: [], value: event }];
  while (level.length > 0 && leaves.length < maxFields)
    level = level.flatMap(({ steps, value }) => {
      if (isScalar(value)) {
        leaves.push({ steps, value });
        return [];
      }
      const inner: [string | number, unknown][] = Array.isArray(value)
        ? value.slice(0, 1).map((element: unknown) => [0, element])
        : isObject(value)
          ? Object.entries(value)
          : [];
      return inner.map(([step, one]) => ({ steps: [...steps, step], value: one }));
    });
  return leaves.slice(0, maxFields).filter(({ steps }) => steps.length > 0);
}

/** The values that are there and not blank. */
export function filled({ values }: Column): Scalar[] {
  return values.flatMap((value) => (value === undefined || isBlank(value) ? [] : [value]));
}

export function distinct(values: readonly Scalar[]): Set<string> {
  return new Set(values.map(String));
}

/** In how many events the field says something. */
export function coverage({ values }: Column): number {
  return values.filter((value) => !isBlank(value)).length;
}
