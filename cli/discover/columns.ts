import { type FieldName, nameOf, pathOf, type Steps } from './field-name.ts';
import { isBlank, isObject, isScalar, type Scalar } from './scalar.ts';

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
const mostFields = 400;

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
  while (level.length > 0 && leaves.length < mostFields)
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
  return leaves.slice(0, mostFields).filter(({ steps }) => steps.length > 0);
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
