import { compileMatcher, isLeaf, type Leaf, type Matcher } from './matcher.ts';
import { PatternError } from './value-patterns.ts';

type Test = (event: unknown) => boolean;

/**
 * Compiles an event pattern (EventBridge User Guide, "Comparison operators for use in event patterns"): exact values,
 * `prefix`, `suffix`, `anything-but`, `numeric`, `exists`, `equals-ignore-case`, `wildcard`, `cidr` and `$or`.
 * If an event has an array, one of its elements must match, and an object in an array matches as a whole.
 *
 * Numbers are compared by value, so 300 equals 3.0e2, as in the matcher that AWS publishes (event-ruler). The guide says that EventBridge compares
 * their text: rely on neither.
 *
 * @returns a function that tests an event that was parsed from JSON
 * @throws PatternError with the path of the problem
 */
export function compilePattern(pattern: unknown): Test {
  return compileObject(pattern, '');
}

function compileObject(pattern: unknown, path: string): Test {
  const fields = entriesOf(pattern);
  if (!fields) throw new PatternError(path, 'expected an object, or an array of what matches');
  if (fields.length === 0) throw new PatternError(path, 'an empty object is not allowed');
  const tests = fields.map(([name, value]) =>
    name === '$or' ? compileOr(value, join(path, name)) : compileField(name, value, join(path, name)),
  );
  const isMatch: Test = (object) => tests.every((test) => test(object));
  // A missing object is tested too, because a pattern may require that a field does not exist.
  return (value) => {
    const candidates = objectsIn(value);
    return candidates.length === 0 ? isMatch({}) : candidates.some(isMatch);
  };
}

function compileOr(alternatives: unknown, path: string): Test {
  if (!Array.isArray(alternatives) || alternatives.length < 2) {
    throw new PatternError(path, 'expected an array of two patterns or more');
  }
  const tests = alternatives.map((alternative, index) => compileObject(alternative, `${path}[${index}]`));
  return (object) => tests.some((test) => test(object));
}

function compileField(name: string, value: unknown, path: string): Test {
  const test = Array.isArray(value) ? compileLeaf(value, path) : compileObject(value, path);
  return (object) => test(fieldOf(object, name));
}

function compileLeaf(items: readonly unknown[], path: string): Test {
  if (items.length === 0) throw new PatternError(path, 'an empty array is not allowed');
  const matchers: readonly Matcher[] = items.map((item) => compileMatcher(item, path));
  return (value) => {
    const leaves = leavesOf(value);
    return matchers.some((matches) => matches(leaves));
  };
}

function leavesOf(value: unknown): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf);
  return isLeaf(value) ? [value] : [];
}

function objectsIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return typeof value === 'object' && value !== null ? [value] : [];
}

function fieldOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return undefined;
  return Object.getOwnPropertyDescriptor(object, name)?.value;
}

function entriesOf(pattern: unknown): [string, unknown][] | undefined {
  if (typeof pattern !== 'object' || pattern === null || Array.isArray(pattern)) return undefined;
  return Object.entries(pattern);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
