import { nearestNames } from './nearest-names.ts';

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
