import {
  type Column,
  filled,
  isId,
  isPhone,
  type Scalar,
  type TimeFormat,
  timeFormatOf,
} from './captured/columns.ts';
import { nameWeight } from './captured/field-names.ts';
import {
  type Candidate,
  isConstant,
  minScore,
  ownerBonus,
  type Proposal,
  propose,
  rankColumns,
} from './proposal.ts';

/** What is known when an id is looked for. */
interface Around {
  /** The status: an id that several of them share is the message's. */
  readonly word: Column | undefined;
  /** What the id is of is said here, or near to it. */
  readonly near: Column | undefined;
  readonly number: Column | undefined;
  /** A field that is something else already. */
  readonly taken: Column | undefined;
}

/**
 * The id of a message: it comes again with another status and the same number; what never changes is the id of an account, and
 * what belongs to several numbers that of a send.
 */
export function idCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  { word, near, number, taken }: Around,
): Candidate[] {
  const others = columns.filter((column) => column !== taken && column !== word && column !== number);
  const isOfMessage = (column: Column) =>
    word !== undefined && sharedBy(column, word) && !(number !== undefined && sharedBy(column, number));
  const comesAgain = others.some(
    (column) =>
      nameWeight(column.name, names) >= minScore &&
      filled(column).every(isId) &&
      !isConstant(column) &&
      isOfMessage(column),
  );
  return rankColumns(others, {
    names,
    fits: isId,
    looks: (column) => isWideId(column) && isOfMessage(column),
    bonus: (column) => {
      if (isConstant(column) && !(number !== undefined && isConstant(number))) return -60;
      if (number !== undefined && sharedBy(column, number)) return -40;
      // Where some id comes again with another status, one that never does is the event's.
      const again = isOfMessage(column) ? 15 : comesAgain ? -25 : 0;
      return nearness(column, near) + again;
    },
  });
}

/** An id beside the status, or as near to it as there is, is of the message; one farther away is of the envelope. */
function nearness(column: Column, near: Column | undefined): number {
  const [steps, others] = [column.holder.split('.'), (near?.path ?? '').split('.')];
  const shared = steps.findIndex((step, index) => step === '' || step !== others[index]);
  return 3 * Math.min(3, shared === -1 ? steps.length : shared);
}

/** Made by a machine: many characters, digits among them, and no time. */
function isWideId(column: Column): boolean {
  return filled(column).every(
    (value) => /^(?=.*\d)[\w:-]{5,}$/.test(String(value)) && timeFormatOf(value) === undefined,
  );
}

/** Whether one value of a field comes with several of another. */
function sharedBy({ values }: Column, other: Column): boolean {
  const first = new Map<Scalar, string>();
  return values.some((value, index) => {
    const beside = other.values[index];
    if (value === undefined || beside === undefined) return false;
    const before = first.get(value);
    if (before === undefined) first.set(value, String(beside));
    return before !== undefined && before !== String(beside);
  });
}

/** Numbers: that of a person changes from event to event, ours seldom does. */
export function numberCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
): Candidate[] {
  const phones = rankColumns(columns, {
    names,
    fits: isPhone,
    looks: saysNumber,
    bonus: (column) => ownerBonus(column, names),
  });
  const changes = phones.some(({ column }) => !isConstant(column));
  return phones
    .map(({ column, score }) => ({ column, score: score - (changes && isConstant(column) ? 40 : 0) }))
    .sort((a, b) => b.score - a.score);
}

/** Only with a plus is it a number and nothing else. */
function saysNumber(column: Column): boolean {
  return filled(column).every((value) => String(value).startsWith('+'));
}

/** The time that was chosen: how it is written, and JMESPath to it; undefined where none was. */
export interface TimeFound {
  readonly format: TimeFormat | undefined;
  readonly path: string | undefined;
}

/**
 * A time near the status, of a message and not of an envelope, goes first among those that are called alike.
 *
 * @param other how the other kind of events writes its times, and where: a contract has one format
 */
export function timeCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  near: readonly (Candidate | undefined)[],
  { format: wanted, path: preferred }: TimeFound = { format: undefined, path: undefined },
): Candidate[] {
  const holders = new Set(near.map((candidate) => candidate?.column.holder));
  const times = rankColumns(columns, {
    names,
    fits: (value) => {
      const format = timeFormatOf(value);
      return format !== undefined && (wanted === undefined || format === wanted);
    },
    looks: saysTime,
    bonus: ({ holder, path }) => (path === preferred ? 15 : 0) + (holders.has(holder) ? 12 : 0),
  });
  const format = formatOf(times[0]);
  return times.filter((candidate) => formatOf(candidate) === format);
}

/** Whatever it is called: ids and numbers of people look like Unix times, dates do not look like anything else. */
function saysTime(column: Column): boolean {
  return (
    formatOf({ column, score: 0 }) === 'iso8601' && !/^(?:expir|valid|schedul|birth)/.test(column.name.last)
  );
}

function formatOf(candidate: Candidate | undefined): TimeFormat | undefined {
  const [first] = candidate === undefined ? [] : filled(candidate.column);
  return first === undefined ? undefined : timeFormatOf(first);
}

export function timeFound([best]: readonly Candidate[]): TimeFound {
  return { format: formatOf(best), path: best?.column.path };
}

export function proposeTime(candidates: readonly Candidate[], key: string): Proposal {
  if (candidates.length > 0) return propose(candidates, { key, isRequired: true });
  return {
    key,
    value: null,
    isCertain: false,
    rivals: [],
    note: 'no field tells a time: that of arrival stands for it',
  };
}
