import { type Column, coverage, distinct, filled, type Scalar } from './captured/columns.ts';
import { nameWeight, numberNames } from './captured/field-names.ts';

/** A field that may be what is looked for. */
export interface Candidate {
  readonly column: Column;
  /** 0 to 100 and a little more; from 80 on its name alone says it. */
  readonly score: number;
}

/** Below this a field is nobody's candidate. */
export const minScore = 45;
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
      return score >= minScore ? [{ column, score }] : [];
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
function rivalsOf([best, ...others]: readonly Candidate[]): Candidate[] {
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

/** What an example is of: numbers and texts are people's, and shown only to who asks for it. */
type ExampleOf = 'number' | 'text' | 'plain';

/** What is proposed for one place of the contract. */
export interface Proposal {
  /** The place: `events.status.messageId`, `statuses.DELIVRD`. */
  readonly key: string;
  /** As the contract has it: mostly JMESPath. Null for nothing; undefined where something is needed and nothing was found. */
  readonly value: string | null | undefined;
  /** Whether its name and what it holds agree, and nothing else could be it. */
  readonly isCertain: boolean;
  /** What else it could be. */
  readonly rivals: readonly string[];
  readonly example?: { readonly of: ExampleOf; readonly value: string };
  /** Why it is a guess, or what to mind. */
  readonly note?: string;
}

/** From this score on a name says it. */
const convincingScore = 80;
/** From this one on it may stand in where an event lacks what is better. */
const standIn = 60;

interface Wanted {
  readonly key: string;
  readonly exampleOf?: ExampleOf;
  /** Whether every event must have it. */
  readonly isRequired: boolean;
}

/** Proposes the best candidate; where every event needs one and some lack the best, what those have is put behind it. */
export function propose(
  candidates: readonly Candidate[],
  { key, exampleOf = 'plain', isRequired }: Wanted,
): Proposal {
  const [best] = candidates;
  if (best === undefined)
    return isRequired
      ? { key, value: undefined, isCertain: false, rivals: [], note: 'no field looks like it' }
      : { key, value: null, isCertain: true, rivals: [] };
  const chosen = isRequired ? covering(candidates) : [best];
  const rivals = rivalsOf(candidates).filter((rival) => !chosen.includes(rival));
  const hasGap =
    isRequired &&
    !best.column.values.every((_, index) => chosen.some(({ column }) => isFilled(column.values[index])));
  const example = filled(best.column)[0];
  const isFirst = chosen.some(({ column }) => column.path.includes('[0]'));
  const notes = [
    ...(hasGap ? ['some events have no such field'] : []),
    ...(isFirst ? ['the first of a list: are there ever more?'] : []),
  ];
  return {
    key,
    value: chosen.map(({ column }) => column.path).join(' || '),
    isCertain:
      best.score >= convincingScore &&
      rivals.length === 0 &&
      chosen.length === 1 &&
      !hasGap &&
      !(isFirst && isRequired),
    rivals: rivals.map(({ column }) => column.path),
    ...(example === undefined ? {} : { example: { of: exampleOf, value: String(example) } }),
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  };
}

function covering([best, ...others]: readonly Candidate[]): Candidate[] {
  if (best === undefined) return [];
  const chosen = [best];
  for (const other of others.filter(({ score }) => score >= standIn)) {
    const isMissing = (index: number) => chosen.every(({ column }) => !isFilled(column.values[index]));
    if (other.column.values.some((value, index) => isFilled(value) && isMissing(index))) chosen.push(other);
  }
  return chosen;
}

function isFilled(value: unknown): boolean {
  return value !== undefined && String(value).trim() !== '';
}
