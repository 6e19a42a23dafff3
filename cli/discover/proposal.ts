import { filled } from './columns.ts';
import type { Candidate } from './rank-columns.ts';
import { rivalsOf } from './rank-columns.ts';

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
const telling = 80;
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
      best.score >= telling &&
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
