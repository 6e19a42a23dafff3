/** Where a value is, from the event on: names of keys, and positions in lists. */
export type Place = readonly (string | number)[];

const name = /[A-Za-z_]\w*|"[^"\\]+"/.source;
const path = new RegExp(`(?:${name})(?:\\.(?:${name})|\\[\\d+\\])*`, 'g');
const literal = /'(?:[^'\\]|\\.)*'|`[^`]*`/g;
const call = /[A-Za-z_]\w*\s*\(/g;

const step = new RegExp(`(${name})|\\[(\\d+)\\]`, 'g');

/** By the expression's text: a contract has few, and events are many. */
const known = new Map<string, readonly Place[]>();

/** The places that a JMESPath expression names, in its order: `a.b[0] || c` has two. */
export function placesIn(expression: string): readonly Place[] {
  const places = known.get(expression) ?? readPlaces(expression);
  known.set(expression, places);
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

/** Whether an expression gives what is at one of its places, and nothing else: `a.b[0]`, or `a || b`. */
export function isPlain(expression: string): boolean {
  return /^[\s|]*$/.test(expression.replace(path, ''));
}

/** Puts a value where it belongs, with the objects and lists on the way there; undefined takes away what is there. */
export function putAt(target: object, [step, ...rest]: Place, value: unknown): void {
  if (step === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(target, step);
    else Reflect.set(target, step, value);
    return;
  }
  const found: unknown = Reflect.get(target, step);
  const isThere = typeof found === 'object' && found !== null;
  if (!isThere && value === undefined) return;
  const inner = isThere ? found : typeof rest[0] === 'number' ? [] : {};
  if (!isThere) Reflect.set(target, step, inner);
  putAt(inner, rest, value);
}

/** What is at a place; undefined where that is nothing. */
export function valueAt(target: object, place: Place): unknown {
  return place.reduce<unknown>(
    (found, step) => (typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined),
    target,
  );
}
