import { isObject } from '../contract/text/json.ts';
import { columnsOf, filled, isPhone, rawColumnsOf, timeFormatOf } from './captured/columns.ts';
import { type Encoding, encodingOfJson } from './captured/encoded-values.ts';
import { classifyEvent } from './event-kind.ts';
import type { EventList } from './event-list.ts';

/** A field of each body that holds the events as JSON. */
interface Wrapper {
  /** Writes the list of events as JMESPath from the whole body. @param list the events in the decoded values */
  readonly around: (list: EventList) => EventList;
  readonly note: string;
}

interface UnwrappedBodies {
  /** The decoded values, or the bodies if they hold the events themselves. */
  readonly values: readonly unknown[];
  readonly wrapper?: Wrapper;
}

/** Finds the field that holds events as JSON in a text or in base64, as in a form or in the envelope of a queue. */
export function unwrapBodies(bodies: readonly unknown[]): UnwrappedBodies {
  const isPlain = bodies.some((body) => classifyEvent(body) !== undefined && hasNumber(body));
  const objects = bodies.filter(isObject);
  if (isPlain || objects.length === 0 || objects.length < bodies.length) return { values: bodies };
  for (const column of rawColumnsOf(objects)) {
    const texts = filled(column).filter((value) => typeof value === 'string');
    if (texts.length < bodies.length) continue;
    const encoding = encodingOfJson(texts);
    if (encoding === undefined) continue;
    return {
      values: texts.map((text) => encoding.decode(text)),
      wrapper: {
        around: (list) => aroundList(list, column.path, encoding),
        note: `the field ${column.path} holds the events as ${encoding.name}`,
      },
    };
  }
  return { values: bodies };
}

function hasNumber(body: unknown): boolean {
  return columnsOf([body]).some((column) => {
    const values = filled(column);
    return values.length > 0 && values.every((value) => isPhone(value) && timeFormatOf(value) === undefined);
  });
}

function aroundList(list: EventList, path: string, encoding: Encoding): EventList {
  return {
    expression: `${encoding.expression(path)} | ${list.expression}`,
    // A sample cannot be made of an event within a text, so its place does not matter.
    events: list.events.map((event) => ({ ...event, place: [] })),
    isCertain: false,
    hasMore: list.hasMore,
  };
}
