import { pathOf, placesIn } from '../contract/events/places.ts';
import { splitAddress } from '../contract/phone/address.ts';
import {
  type Column,
  coverage,
  filled,
  isId,
  isPhone,
  type Scalar,
  timeFormatOf,
} from './captured/columns.ts';
import { nameWeight, referenceKind, roleNames } from './captured/field-names.ts';
import {
  type Candidate,
  isConstant,
  maxRivalGap,
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
      const isOptional = referenceKind(column.name) !== undefined && coverage(column) < column.values.length;
      if (isOptional) return -30;
      // If some id repeats with another status, an id that never repeats is the event's.
      const repeats = isOfMessage(column) ? 15 : someIdRepeats ? -25 : 0;
      return nearness(column, near) + repeats;
    },
  });
}

/** Rates how close an id is to the status. The closest id is the message's; one further away is the envelope's. */
function nearness(column: Column, near: Column | undefined): number {
  const [steps, others] = [stepsTo(column), near === undefined ? [] : stepsTo(near)];
  const shared = steps.findIndex((step, index) => step !== others[index]);
  return 3 * Math.min(3, shared === -1 ? steps.length : shared);
}

/** Lists the objects around a field. In a flat event a prefix of names stands for an object. */
function stepsTo({ holder, name: { prefix } }: Column): readonly string[] {
  return [...holder.split('.'), prefix].filter((step) => step !== '');
}

/** Recognises an id that a machine made: several characters, digits among them, and not a time. */
function isWideId(column: Column): boolean {
  return filled(column).every(
    (value) => /^(?=.*\d)[\w:-]{5,}$/.test(String(value)) && timeFormatOf(value) === undefined,
  );
}

/** Reports whether one value of a field occurs with several values of another. */
export function sharedBy({ values }: Column, other: Column): boolean {
  const first = new Map<Scalar, string>();
  return values.some((value, index) => {
    const beside = other.values[index];
    if (value === undefined || beside === undefined) return false;
    const before = first.get(value);
    if (before === undefined) first.set(value, String(beside));
    return before !== undefined && before !== String(beside);
  });
}

/**
 * Lists candidates for a person's number. It changes from event to event, while the pipeline's own number seldom does. If no name and no "+"
 * shows it, the only number is a candidate.
 *
 * @param others the names of fields that hold the pipeline's own number
 */
export function numberCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
): Candidate[] {
  const unlikeOthers = columns.filter((column) => !isRatherNamed(column, others, names));
  const phones = rankColumns(unlikeOthers, {
    names,
    fits: isPhone,
    looks: hasPlusSigns,
    bonus: (column) => ownerBonus(column, names),
  });
  const changes = phones.some(({ column }) => !isConstant(column));
  const ranked = phones
    .map((phone) => ({ ...phone, score: phone.score - (changes && isConstant(phone.column) ? 40 : 0) }))
    .sort((a, b) => b.score - a.score);
  return ranked.length > 0 ? ranked : onlyOne(unlikeOthers.filter(isUnnamedNumber));
}

/** Reports whether a name belongs to other roles: `destinationAddress` ends like the name of any address, and is that of a recipient. */
export function isRatherNamed(
  { name }: Column,
  others: ReadonlyMap<string, number>,
  names: ReadonlyMap<string, number>,
): boolean {
  return nameWeight(name, others) > nameWeight(name, names) + maxRivalGap;
}

/** Makes a field a candidate that is never certain, if it is the only one. */
export function onlyOne(columns: readonly Column[]): Candidate[] {
  const [only, ...others] = columns;
  return only === undefined || others.length > 0 ? [] : [{ column: only, score: minScore, weight: 0 }];
}

/** Recognises numbers in a field whose name is neither that of an id nor that of a code. */
export function isUnnamedNumber(column: Column): boolean {
  const { messageId, sendId, replyId, errorCode } = roleNames;
  return (
    filled(column).length > 0 &&
    isPhoneColumn(column) &&
    !/id$/.test(column.name.last) &&
    [messageId, sendId, replyId, errorCode].every((names) => nameWeight(column.name, names) < minScore)
  );
}

/** Recognises international numbers. Without a plus sign, digits may be something else. */
function hasPlusSigns(column: Column): boolean {
  return filled(column).every((value) => splitAddress(String(value)).address.startsWith('+'));
}

/**
 * Lists candidates for the time of an event. Among times with similar names, one next to the status comes first: it belongs to the message
 * and not to the envelope.
 *
 * @param other JMESPath to the time of the other kind of events
 */
export function timeCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  near: readonly (Candidate | undefined)[],
  other?: string,
): Candidate[] {
  const holders = new Set(near.map((candidate) => candidate?.column.holder));
  return rankColumns(columns, {
    names,
    fits: (value) => timeFormatOf(value) !== undefined,
    looks: isDate,
    bonus: ({ holder, path }) => (path === other ? 15 : 0) + (holders.has(holder) ? 12 : 0),
  });
}

/** Recognises dates whatever the field is called. Unix times look like ids and phone numbers, but dates look like nothing else. */
function isDate(column: Column): boolean {
  const [first] = filled(column);
  const format = first === undefined ? undefined : timeFormatOf(first);
  return (
    ['iso8601', 'rfc2822', 'dotted', 'javascript', 'compact'].includes(format ?? '') &&
    !/^(?:expir|valid|schedul|birth)/.test(column.name.last)
  );
}

export function proposeTime(candidates: readonly Candidate[], key: string): Proposal {
  if (candidates.length > 0) return propose(candidates, { key, isRequired: true });
  return proposal(key, null, false, { note: 'no field holds a time: the time of receipt is used' });
}

/** Reports whether two fields hold the same in every event that has both, and some event has. */
export function isCopyOf(a: Column, b: Column): boolean {
  const both = a.values.flatMap((value, index) => {
    const other = b.values[index];
    return value === undefined || other === undefined ? [] : [String(value) === String(other)];
  });
  return both.length > 0 && both.every(Boolean);
}

/**
 * Proposes the id of a message. A reference that the caller chose is never certain, and if no field is named like an id, the fields that
 * could be one are listed, so that a person can choose.
 */
export function proposeMessageId(
  candidates: readonly Candidate[],
  columns: readonly Column[],
  word: Column | undefined,
  key: string,
): Proposal {
  const [best] = candidates;
  const proposed = propose(best === undefined ? onlyOne(columns.filter(isNamedLikeId)) : candidates, {
    key,
    isRequired: true,
  });
  if (best === undefined) {
    if (proposed.value !== undefined) return { ...proposed, note: 'its name only ends like that of an id' };
    const ids = columns
      .filter((column) => filled(column).length > 0 && filled(column).every(isId) && isWideId(column))
      .sort((a, b) => idRank(b, word) - idRank(a, word));
    return { ...proposed, rivals: ids.slice(0, 5).map(({ path }) => path) };
  }
  if (referenceKind(best.column.name) === undefined) return proposed;
  return {
    ...proposed,
    isCertain: false,
    note: 'named like a reference that the sender of the message chose',
  };
}

/** Names of ids that many messages share. */
const sharedIds =
  /^(?:sub)?(?:account|user|customer|client|company|org|project|app|profile|channel|agent|contact|carrier|operator|network|country|service|template|sender|keyword|campaign|group|list|tenant|workspace|team|gateway|route|device)/;

/** Recognises an id of a message by the end of a name that no service documents, such as `ret_id`. */
function isNamedLikeId(column: Column): boolean {
  const { last } = column.name;
  return (
    /.(?:id|uuid|guid)$/.test(last) &&
    !sharedIds.test(last) &&
    referenceKind(column.name) === undefined &&
    filled(column).length > 0 &&
    filled(column).every(isId) &&
    !isConstant(column)
  );
}

/** Rates a field that may be an id: one that repeats with another status, and one that every event has. */
function idRank(column: Column, word: Column | undefined): number {
  const repeats = word !== undefined && sharedBy(column, word);
  return (repeats ? 2 : 0) + coverage(column) / column.values.length - (isConstant(column) ? 4 : 0);
}

/** Makes an empty place a guess if a field that has no role could belong there. */
export function unlessUnexplained(
  proposed: Proposal,
  columns: readonly Column[],
  used: ReadonlySet<string>,
  looks: (column: Column) => boolean,
): Proposal {
  if (proposed.value !== null) return proposed;
  const rivals = columns.filter(
    (column) => !used.has(column.path) && filled(column).length > 0 && looks(column),
  );
  return rivals.length === 0
    ? proposed
    : { ...proposed, isCertain: false, rivals: rivals.slice(0, 3).map(({ path }) => path) };
}

/** Recognises numbers with a country code, which are neither times nor counts. */
export function isPhoneColumn(column: Column): boolean {
  return filled(column).every(
    (value) => isPhone(value) && /\d{10}/.test(String(value)) && timeFormatOf(value) === undefined,
  );
}

/** Recognises an id that is neither a copy of another one nor the same in all events. */
export function isFurtherId(column: Column, ids: readonly (Column | undefined)[]): boolean {
  const isSame = filled(column).length > 1 && new Set(filled(column).map(String)).size === 1;
  return (
    isWideId(column) &&
    !isPhoneColumn(column) &&
    !isSame &&
    referenceKind(column.name) === undefined &&
    !ids.some((id) => id !== undefined && isCopyOf(column, id))
  );
}

/** Lists the paths that proposals use. */
export function pathsOf(proposals: readonly Proposal[]): ReadonlySet<string> {
  return new Set(proposals.flatMap(({ value }) => placesIn(value ?? '').map(pathOf)));
}
