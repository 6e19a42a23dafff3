import { isObject } from '../text/json.ts';

/** The way to a value in a body or event: names of keys, and positions in lists. */
export type Place = readonly (string | number)[];

const name = /[A-Za-z_]\w*|"[^"\\]+"/.source;
const path = new RegExp(`(?:${name})(?:\\.(?:${name})|\\[\\d+\\])*`, 'g');
const literal = /'(?:[^'\\]|\\.)*'|`[^`]*`/g;
const call = /[A-Za-z_]\w*\s*\(/g;
const step = new RegExp(`(${name})|\\[(\\d+)\\]`, 'g');

/** The places by the text of their expression: a contract has few expressions, and events are many. */
const cachedPlaces = new Map<string, readonly Place[]>();

/** Lists the places that a JMESPath expression names, in its order: `a.b[0] || c` names two. */
export function placesIn(expression: string): readonly Place[] {
  const places = cachedPlaces.get(expression) ?? readPlaces(expression);
  cachedPlaces.set(expression, places);
  return places;
}

function readPlaces(expression: string): readonly Place[] {
  const paths = expression.replace(literal, ' ').replace(call, '(').match(path) ?? [];
  return [...new Set(paths)].map((text) =>
    [...text.matchAll(step)].map(([, key = '', position]) =>
      position === undefined ? key.replaceAll('"', '') : Number(position),
    ),
  );
}

/** Reports whether an expression only returns the value at one of its places: `a.b[0]`, or `a || b`. */
export function isPlain(expression: string): boolean {
  return /^[\s|]*$/.test(expression.replace(path, ''));
}

/** Writes a place as JMESPath. */
export function pathOf(place: Place): string {
  return place
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const key = /^[A-Za-z_]\w*$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? key : `.${key}`;
    })
    .join('');
}

/** Lists the values that hold no others, with their places: outer values first. Of a list, only the first element is visited. */
export function* leavesOf(root: unknown): Generator<{ readonly place: Place; readonly value: unknown }> {
  const waiting: { place: Place; value: unknown }[] = [{ place: [], value: root }];
  // The loop also visits what it adds.
  for (const { place, value } of waiting) {
    if (Array.isArray(value)) {
      if (value.length > 0) waiting.push({ place: [...place, 0], value: value[0] });
    } else if (isObject(value))
      for (const [key, inner] of Object.entries(value))
        waiting.push({ place: [...place, key], value: inner });
    else if (place.length > 0) yield { place, value };
  }
}

/** Returns the value at a place; undefined if there is none. */
export function valueAt(target: object, place: Place): unknown {
  return place.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
    target,
  );
}

/** Puts a value at a place, and makes the objects and lists on the way. Undefined removes the value at the place. */
export function putAt(target: object, [step, ...rest]: Place, value: unknown): void {
  if (step === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, step);
    else Reflect.set(target, step, value);
    return;
  }
  const present: unknown = Reflect.get(target, step);
  const isPresent = typeof present === 'object' && present !== null;
  if (!isPresent && value === undefined) return;
  const inner = isPresent ? present : typeof rest[0] === 'number' ? [] : {};
  if (!isPresent) Reflect.set(target, step, inner);
  putAt(inner, rest, value);
}
