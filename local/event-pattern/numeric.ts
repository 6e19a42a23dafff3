import { PatternError } from './pattern-error.ts';

type Comparison = (value: number, bound: number) => boolean;

const comparisons: Readonly<Partial<Record<string, Comparison>>> = {
  '=': (value, bound) => value === bound,
  '<': (value, bound) => value < bound,
  '<=': (value, bound) => value <= bound,
  '>': (value, bound) => value > bound,
  '>=': (value, bound) => value >= bound,
};

/** The matching is limited to values from -5.0e9 to +5.0e9, both included (EventBridge User Guide, "Numeric matching"). */
const LARGEST = 5e9;

/**
 * Compiles `["=", 5]`, `["<", 10]` or a range as `[">", 0, "<=", 5]`, the lower bound first. Larger values, such as times in
 * milliseconds, match nothing.
 *
 * @throws PatternError
 */
export function compileNumeric(range: unknown, path: string): (value: number) => boolean {
  if (!Array.isArray(range) || (range.length !== 2 && range.length !== 4)) {
    throw new PatternError(path, 'expected one comparison, or a lower and an upper bound');
  }
  const [first, firstBound, second, secondBound] = range;
  const lower = comparison(first, firstBound, path);
  if (range.length === 2) return lower;
  const upper = comparison(second, secondBound, path);
  if (!String(first).startsWith('>') || !String(second).startsWith('<') || firstBound >= secondBound) {
    throw new PatternError(path, 'a range is a lower bound and then a larger upper one');
  }
  return (value) => lower(value) && upper(value);
}

function comparison(operator: unknown, bound: unknown, path: string): (value: number) => boolean {
  const compare = comparisons[String(operator)];
  if (!compare) throw new PatternError(path, `there is no comparison ${JSON.stringify(operator)}`);
  if (typeof bound !== 'number' || Math.abs(bound) > LARGEST) {
    throw new PatternError(path, 'a bound is a number from -5e9 to 5e9');
  }
  return (value) => Math.abs(value) <= LARGEST && compare(value, bound);
}
