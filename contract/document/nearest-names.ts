/** Beyond this many letters a name is cut: names come from outside, and the time grows with the square. */
const longest = 60;

/** Of the letters of the longer name so many may differ: `state` is near `status`. */
const farthest = 0.34;

/**
 * The candidates that a name was most likely meant to be, the nearest first; those with little in common are left out.
 * Letter case and what parts words (`message_id`, `messageId`) do not count.
 */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const given = wordsOf(name);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(given, wordsOf(candidate)) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

function wordsOf(name: string): readonly string[] {
  const parted = name.slice(0, longest).replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return parted
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** From 0, the same, to 1, nothing in common. A name that the other ends in (`id` in `message_id`) is near, if not very. */
function distanceOf(a: readonly string[], b: readonly string[]): number {
  const [from, to] = [a.join(''), b.join('')];
  const most = Math.max(from.length, to.length);
  if (most === 0) return 1;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const isEnd = shorter.length > 0 && longer.slice(-shorter.length).join(' ') === shorter.join(' ');
  const share = editDistance(from, to) / most;
  return isEnd ? Math.min(share, farthest) : share;
}

/** Returns the number of letters to add, drop or replace (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** A body that holds more names than this is not looked through to its end. */
const mostNames = 1000;
const mostShown = 5;

/**
 * Paths in a value, as expressions, that one which found nothing may have meant: those whose last name is like a name in it
 * that is not there. The likeliest come first; there may be none.
 *
 * @param expression JMESPath
 * @param value what it was evaluated on
 */
export function nearPaths(expression: string, value: unknown): readonly string[] {
  const paths = [...pathsOf(value)];
  const known = new Set(paths.flatMap(({ names }) => names));
  const asked = namesIn(expression);
  const missing = asked.filter((name) => !known.has(name));
  // Where every name is there, the last one may be elsewhere than the expression looks.
  const wanted = missing.length > 0 ? missing.toReversed() : asked.slice(-1);
  const lastNames = [...new Set(paths.map(lastOf))];
  const near = [...new Set(wanted.flatMap((name) => nearestNames(name, lastNames)))];
  return near
    .flatMap((name) => paths.filter((path) => lastOf(path) === name && path.path !== expression))
    .slice(0, mostShown)
    .map(({ path }) => path);
}

/** The first paths of a value, for an expression that nothing in it is like. */
export function firstPaths(value: unknown): readonly string[] {
  return [...pathsOf(value)].slice(0, mostShown).map(({ path }) => path);
}

interface NamedPath {
  readonly path: string;
  /** The names on the way, without places in lists. */
  readonly names: readonly string[];
}

function lastOf({ names }: NamedPath): string {
  return names.at(-1) ?? '';
}

/** The paths to what is neither object nor list, or is empty; of a list its first element stands for all. */
function* pathsOf(root: unknown): Generator<NamedPath, void> {
  const open: (NamedPath & { readonly value: unknown })[] = [{ value: root, path: '', names: [] }];
  let count = 0;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const { value, path, names } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      open.push({ value: value[0], path: `${path}[0]`, names });
      continue;
    }
    for (const [name, inner] of Object.entries(value)) {
      if (count++ >= mostNames) return;
      const step = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      const innerPath = path === '' ? step : `${path}.${step}`;
      if (typeof inner === 'object' && inner !== null)
        open.push({ value: inner, path: innerPath, names: [...names, name] });
      else yield { path: innerPath, names: [...names, name] };
    }
  }
}

/** The names of fields in an expression, without its texts, literals and functions. */
function namesIn(expression: string): readonly string[] {
  const withoutTexts = expression.replace(/'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, ' ');
  return [...withoutTexts.matchAll(/"([^"\\]+)"|([A-Za-z_]\w*)(?!\w|\s*\()/g)].map(
    ([, quoted = '', plain = '']) => quoted || plain,
  );
}
