import { compileCidr, compileNumeric, compileWildcard, PatternError } from './value-patterns.ts';

/** A value of an event that is neither an object nor an array. */
export type Leaf = string | number | boolean | null;

/** Whether the values of an event's field match. The list is empty for a missing field. */
export type Matcher = (leaves: readonly Leaf[]) => boolean;

type TextTest = (text: string) => boolean;

/**
 * Compiles one item of the array that a pattern gives a field: a value, or an object with one operator.
 *
 * @throws PatternError
 */
export function compileMatcher(item: unknown, path: string): Matcher {
  if (isLeaf(item)) return (leaves) => leaves.includes(item);
  const [operator, operand] = onlyEntry(item, path);
  const operatorPath = `${path}.${operator}`;
  switch (operator) {
    case 'exists':
      if (typeof operand !== 'boolean') throw new PatternError(operatorPath, 'expected true or false');
      return (leaves) => leaves.length > 0 === operand;
    case 'anything-but': {
      const isExcluded = compileExclusion(operand, operatorPath);
      return (leaves) => leaves.some((leaf) => !isExcluded(leaf));
    }
    case 'numeric': {
      const isInRange = compileNumeric(operand, operatorPath);
      return (leaves) => leaves.some((leaf) => typeof leaf === 'number' && isInRange(leaf));
    }
    case 'cidr':
      return someText(compileCidr(operand, operatorPath));
    case 'prefix':
    case 'suffix':
    case 'equals-ignore-case':
    case 'wildcard':
      return someText(compileText(operator, operand, operatorPath));
    default:
      throw new PatternError(operatorPath, 'this operator is not supported on one machine');
  }
}

function someText(test: TextTest): Matcher {
  return (leaves) => leaves.some((leaf) => typeof leaf === 'string' && test(leaf));
}

/** The operand is a value, a list of values of one type, or one operator on text with one or more values. */
function compileExclusion(operand: unknown, path: string): (leaf: Leaf) => boolean {
  if (typeof operand === 'object' && operand !== null && !Array.isArray(operand)) {
    const [operator, values] = onlyEntry(operand, path);
    const operatorPath = `${path}.${operator}`;
    const tests = listOf(values, operatorPath).map((value) =>
      compileExcludedText(operator, value, operatorPath),
    );
    return (leaf) => typeof leaf === 'string' && tests.some((test) => test(leaf));
  }
  const values = listOf(operand, path);
  const types = new Set(values.map((value) => typeof value));
  if (types.size !== 1 || !(types.has('string') || types.has('number'))) {
    throw new PatternError(path, 'expected texts only or numbers only');
  }
  return (leaf) => values.includes(leaf);
}

/** In `anything-but`, `prefix` and `suffix` accept neither an empty text nor `equals-ignore-case`. */
function compileExcludedText(operator: string, value: unknown, path: string): TextTest {
  if (typeof value !== 'string') throw new PatternError(path, 'expected a text');
  if (value === '' && (operator === 'prefix' || operator === 'suffix'))
    throw new PatternError(path, 'an empty text is not allowed');
  return compileText(operator, value, path);
}

function compileText(operator: string, operand: unknown, path: string): TextTest {
  const folded = operator === 'prefix' || operator === 'suffix' ? foldedOperand(operand, path) : undefined;
  const value = folded ?? operand;
  if (typeof value !== 'string') throw new PatternError(path, 'expected a text');
  const lower = value.toLowerCase();
  switch (operator) {
    case 'prefix':
      return folded === undefined
        ? (text) => text.startsWith(value)
        : (text) => text.toLowerCase().startsWith(lower);
    case 'suffix':
      return folded === undefined
        ? (text) => text.endsWith(value)
        : (text) => text.toLowerCase().endsWith(lower);
    case 'equals-ignore-case':
      return (text) => text.toLowerCase() === lower;
    case 'wildcard':
      return compileWildcard(value, path);
    default:
      throw new PatternError(path, 'this operator is not supported on one machine');
  }
}

/** The text in `{"equals-ignore-case": text}`. */
function foldedOperand(operand: unknown, path: string): unknown {
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return undefined;
  const [operator, text] = onlyEntry(operand, path);
  if (operator === 'equals-ignore-case') return text;
  throw new PatternError(`${path}.${operator}`, 'this operator is not supported on one machine');
}

function listOf(value: unknown, path: string): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0) throw new PatternError(path, 'an empty list is not allowed');
  return list;
}

function onlyEntry(value: unknown, path: string): readonly [string, unknown] {
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const [entry] = entries;
  if (!entry || entries.length > 1)
    throw new PatternError(path, 'expected a value, or an object with one operator');
  return entry;
}

export function isLeaf(value: unknown): value is Leaf {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
