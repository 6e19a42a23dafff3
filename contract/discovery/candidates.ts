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
  proposal,
  propose,
  rankColumns,
} from './proposal.ts';

/** The fields that were found before an id is searched. */
interface FoundFields {
  /** The status: an id that occurs with several statuses is the message's. */
  readonly word: Column | undefined;
  /** The field that describes the thing the id belongs to: the id is next to it, or close. */
  readonly near: Column | undefined;
  readonly number: Column | undefined;
  /** A field that already has another role. */
  readonly taken: Column | undefined;
}

/**
 * Lists candidates for the id of a message: it repeats with another status and the same number. A field that never changes is the id of
 * an account, and one that belongs to several numbers is the id of a send.
 */
export function idCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  { word, near, number, taken }: FoundFields,
): Candidate[] {
  const others = columns.filter((column) => column !== taken && column !== word && column !== number);
  const isOfMessage = (column: Column) =>
    word !== undefined && sharedBy(column, word) && !(number !== undefined && sharedBy(column, number));
  const someIdRepeats = others.some(
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
      // If some id repeats with another status, an id that never repeats is the event's.
      const repeats = isOfMessage(column) ? 15 : someIdRepeats ? -25 : 0;
      return nearness(column, near) + repeats;
    },
  });
}

/** Rates how close an id is to the status. The closest id is the message's; one further away is the envelope's. */
function nearness(column: Column, near: Column | undefined): number {
  const [steps, others] = [column.holder.split('.'), (near?.path ?? '').split('.')];
  const shared = steps.findIndex((step, index) => step === '' || step !== others[index]);
  return 3 * Math.min(3, shared === -1 ? steps.length : shared);
}

/** Recognises an id that a machine made: several characters, digits among them, and not a time. */
function isWideId(column: Column): boolean {
  return filled(column).every(
    (value) => /^(?=.*\d)[\w:-]{5,}$/.test(String(value)) && timeFormatOf(value) === undefined,
  );
}

/** Reports whether one value of a field occurs with several values of another. */
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

/** Lists candidates for a person's number. It changes from event to event, while the pipeline's own number seldom does. */
export function numberCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
): Candidate[] {
  const phones = rankColumns(columns, {
    names,
    fits: isPhone,
    looks: hasPlusSigns,
    bonus: (column) => ownerBonus(column, names),
  });
  const changes = phones.some(({ column }) => !isConstant(column));
  return phones
    .map(({ column, score }) => ({ column, score: score - (changes && isConstant(column) ? 40 : 0) }))
    .sort((a, b) => b.score - a.score);
}

/** Recognises international numbers. Without a plus sign, digits may be something else. */
function hasPlusSigns(column: Column): boolean {
  return filled(column).every((value) => String(value).startsWith('+'));
}

/** The format of the chosen time, and JMESPath to it; undefined if no field was chosen. */
export interface ChosenTime {
  readonly format: TimeFormat | undefined;
  readonly path: string | undefined;
}

/**
 * Lists candidates for the time of an event. Among times with similar names, one next to the status comes first: it belongs to the message
 * and not to the envelope.
 *
 * @param other the time of the other kind of events, because a contract has one time format
 */
export function timeCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  near: readonly (Candidate | undefined)[],
  other: ChosenTime = { format: undefined, path: undefined },
): Candidate[] {
  const holders = new Set(near.map((candidate) => candidate?.column.holder));
  const times = rankColumns(columns, {
    names,
    fits: (value) => {
      const format = timeFormatOf(value);
      return format !== undefined && (other.format === undefined || format === other.format);
    },
    looks: isDate,
    bonus: ({ holder, path }) => (path === other.path ? 15 : 0) + (holders.has(holder) ? 12 : 0),
  });
  const format = formatOf(times[0]);
  return times.filter((candidate) => formatOf(candidate) === format);
}

/** Recognises dates whatever the field is called. Unix times look like ids and phone numbers, but dates look like nothing else. */
function isDate(column: Column): boolean {
  return (
    formatOf({ column, score: 0 }) === 'iso8601' && !/^(?:expir|valid|schedul|birth)/.test(column.name.last)
  );
}

function formatOf(candidate: Candidate | undefined): TimeFormat | undefined {
  const [first] = candidate === undefined ? [] : filled(candidate.column);
  return first === undefined ? undefined : timeFormatOf(first);
}

export function chosenTime([best]: readonly Candidate[]): ChosenTime {
  return { format: formatOf(best), path: best?.column.path };
}

export function proposeTime(candidates: readonly Candidate[], key: string): Proposal {
  if (candidates.length > 0) return propose(candidates, { key, isRequired: true });
  return proposal(key, null, false, { note: 'no field holds a time: the time of receipt is used' });
}
