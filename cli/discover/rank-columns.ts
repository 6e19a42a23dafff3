import { type Column, coverage, distinct, filled } from './columns.ts';
import { nameWeight } from './field-name.ts';
import { numberNames } from './role-names.ts';
import type { Scalar } from './scalar.ts';

/** A field that may be what is looked for. */
export interface Candidate {
  readonly column: Column;
  /** 0 to 100 and a little more; from 80 on its name alone says it. */
  readonly score: number;
}

/** Below this a field is nobody's candidate. */
export const leastScore = 45;
/** What a field is worth that only behaves like one: it is never certain. */
const lookWeight = 50;
/** Candidates that are this near to the best one are its rivals. */
const nearness = 12;

/** What is looked for. */
export interface Role {
  readonly names: ReadonlyMap<string, number>;
  /** Whether a value can be one; most of them must. */
  readonly fits: (value: Scalar) => boolean;
  /** Whether a field behaves like one, whatever it is called. */
  readonly looks?: (column: Column) => boolean;
  /** Added to what the name says, or -Infinity. */
  readonly bonus?: (column: Column) => number;
}

/** The fields that may be what is looked for, the likeliest first. */
export function rankColumns(columns: readonly Column[], { names, fits, looks, bonus }: Role): Candidate[] {
  return columns
    .flatMap((column) => {
      const values = filled(column);
      const fitting = values.filter(fits).length;
      if (values.length === 0 || fitting < values.length * 0.8) return [];
      const weight = nameWeight(column.name, names);
      const score = (looks?.(column) ? Math.max(weight, lookWeight) : weight) + (bonus?.(column) ?? 0);
      return score >= leastScore ? [{ column, score }] : [];
    })
    .sort((a, b) => b.score - a.score || coverage(b.column) - coverage(a.column));
}

/** What an object's name adds to the names in it: "to.value" is where a message went, and "from.number" nobody's recipient. */
export function ownerBonus({ name }: Column, names: ReadonlyMap<string, number>): number {
  const owner = [...name.parents, name.container].find((around) => numberNames.has(around));
  if (owner === undefined) return 0;
  const weight = names.get(owner);
  return weight === undefined ? -100 : Math.max(0, weight * 0.95 - nameWeight(name, names));
}

/** Those that could as well be it: others that say something else. */
export function rivalsOf([best, ...others]: readonly Candidate[]): Candidate[] {
  if (best === undefined) return [];
  return others
    .filter(({ score, column }) => score >= best.score - nearness && !saysTheSame(column, best.column))
    .slice(0, 3);
}

function saysTheSame(a: Column, b: Column): boolean {
  return a.values.every((value, index) => String(value) === String(b.values[index]) || value === undefined);
}

/** Whether a field always says the same, while there were enough events to say something else. */
export function isConstant(column: Column): boolean {
  const values = filled(column);
  return values.length >= 3 && distinct(values).size === 1;
}
