import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyId, mainSource, serviceIds } from '../../../contract/events/source-id.ts';
import { outcomeOf, type ReplyText, type StatusEvent } from '../../../contract/schema/sms-event.ts';
import { isObject } from '../../../contract/text/json.ts';
import { omitUndefined } from '../../base/basics.ts';
import { compareText } from '../entry.ts';
import { type Item, keyOf, numberKey, UnreadableItemError } from '../item-keys.ts';
import type { KeywordOf } from './keyword.ts';

/** The latest state of a number: it wants no more messages (`out`), or wants them again (`in`). */
export interface OptOutChange {
  /** E.164 if the number can be read as such. */
  readonly phone: string;
  readonly state: 'out' | 'in';
  /** When the person replied, the operator recorded it, or the message failed; ISO 8601 in UTC. */
  readonly at: string;
  /**
   * Who said it: the person by a reply, an operator by `sms opt-out`, or the provider, which did not deliver a message because the number
   * opted out there.
   */
  readonly by: 'person' | 'operator' | 'provider';
  /** The source that the reply or the message is of, or that an operator chose; left out for `main`, and for an entry about all sources. */
  readonly source?: string;
  /** The reply with the keyword, of a person. */
  readonly replyId?: string;
  /** The id of the entry, of an operator. */
  readonly entryId?: string;
  /** The message that failed, of a provider. */
  readonly messageId?: string;
  /** Why an operator recorded it. */
  readonly reason?: string;
  /** The end of the ARN of the operator's keys, such as `assumed-role/Support/ann`; left out if AWS did not name it. */
  readonly recordedBy?: string;
  /** The only sources that the number is opted out of, if opt-outs count by source (`optOutsBySource`). */
  readonly outOf?: readonly string[];
  /** The only sources that the number is not opted out of, if opt-outs count by source and it is out of all others. */
  readonly outOfAllExcept?: readonly string[];
}

/** A number that wants no more messages. */
export type OptOut = Omit<OptOutChange, 'state'>;

/** The wish in one reply, entry or failure. A reply with an "out" version and an "in" version has two statements. */
export interface OptOutStatement extends Omit<OptOutChange, 'outOf' | 'outOfAllExcept'> {
  /** It is about its source only. Left out if it is about all sources, also about those that are added later. */
  readonly onlySource?: true;
  /**
   * Identifies the version of the reply, or the report of the failure. Undefined if the reply's id identifies it, because the service
   * reports no time. It ends with the time of receipt if a copy looks like a second reply.
   */
  readonly eventId?: string;
  /** When the pipeline received it, if that is another time than `at`; ISO 8601 in UTC. By it, an erasure is before or after it. */
  readonly receivedAt?: string;
  /** The import whose row says it. Two imports of one row are two statements, so that one of them can be removed. */
  readonly importId?: string;
}

/** The register keeps the newest statements of a number that no import recorded, up to this many, and those that it must not lose. */
export const maxStatements = 100;

/** It keeps statements of this many imports, and those of more imports only if they count. */
export const maxImports = 20;

/** The service's clock may be ahead of ours by this much. */
const clockToleranceMs = 5 * 60_000;

/** Returns the wish in a reply; undefined for most replies, which express no wish. @param receivedAt ISO 8601 in UTC */
export function readStatement(
  reply: ReplyText,
  receivedAt: string,
  keywordOf: KeywordOf,
): OptOutStatement | undefined {
  const { eventId, replyId, from, occurredAt, timeIs, isTimed, isDistinct } = reply;
  const keyword = keywordOfReply(reply, keywordOf);
  if (keyword !== 'stop' && keyword !== 'start') return undefined;
  const state = keyword === 'stop' ? 'out' : 'in';
  const ownId = isTimed || !replyId.isWellFormed() ? eventId : undefined;
  // A second STOP may look like a copy of the first. When in doubt the person is opted out, so each receipt is a statement.
  const id = state === 'out' && !isDistinct ? `${eventId} ${receivedAt}` : ownId;
  return {
    // The database keeps well-formed text only. A statement must be equal before and after it is stored.
    phone: from.toWellFormed(),
    state,
    ...timesOfStatement(effectiveTime(state, occurredAt, timeIs, receivedAt), receivedAt),
    by: 'person',
    ...serviceIds({ replyId: replyId.toWellFormed() }),
    ...omitUndefined({ eventId: id }),
  };
}

/**
 * Returns the keyword of a reply. If the service says that the person opted out, it is STOP whatever the words are. What a service takes for an
 * opt-in does not count: some take YES, which is also the answer to a question.
 */
export function keywordOfReply(
  { text, from, optOut }: Pick<ReplyText, 'text' | 'from' | 'optOut'>,
  keywordOf: KeywordOf,
): ReturnType<KeywordOf> {
  return optOut ? 'stop' : keywordOf(text, from);
}

/**
 * Returns the opt-out in a delivery report: the provider did not deliver the message, because the number opted out there. Undefined for every
 * other report, and for a report without the number.
 *
 * @param receivedAt ISO 8601 in UTC
 */
export function readFailure(
  { eventId, messageId, phone, rank, errorReason, occurredAt, timeIs }: StatusEvent,
  receivedAt: string,
): OptOutStatement | undefined {
  if (phone === undefined || errorReason !== 'opted_out' || outcomeOf(rank) !== 'failure') return undefined;
  return {
    phone: phone.toWellFormed(),
    state: 'out',
    ...timesOfStatement(effectiveTime('out', occurredAt, timeIs, receivedAt), receivedAt),
    by: 'provider',
    ...serviceIds({ messageId: messageId.toWellFormed() }),
    eventId,
  };
}

/**
 * Returns the time that counts for a statement. A START never counts after its receipt, otherwise it would win over a STOP that is received
 * after it. A STOP or a failure may be ahead by as much as clocks differ. A time whose zone is unknown says nothing, so the order of receipt
 * decides.
 */
function effectiveTime(
  state: 'out' | 'in',
  occurredAt: string | undefined,
  timeIs: ReplyText['timeIs'],
  receivedAt: string,
): string {
  if (occurredAt === undefined || timeIs !== undefined) return receivedAt;
  const latest = Date.parse(receivedAt) + (state === 'out' ? clockToleranceMs : 0);
  return Date.parse(occurredAt) <= latest ? occurredAt : new Date(latest).toISOString();
}

/** Returns the times of a statement in the form in which it is stored. @param at when it counts @param receivedAt when the pipeline received it */
export const timesOfStatement = (at: string, receivedAt: string) =>
  at === receivedAt ? { at } : { at, receivedAt };

/** Returns when a statement was received. */
export const receiptOf = ({ at, receivedAt = at }: OptOutStatement): string => receivedAt;

function withReceipt(statement: OptOutStatement, receipt: string): OptOutStatement {
  if (receiptOf(statement) === receipt) return statement;
  const { receivedAt: _, at, ...others } = statement;
  return { ...others, ...timesOfStatement(at, receipt) };
}

/** What an operator records for a person who asked by phone or mail. */
export interface EntryByHand extends Pick<OptOutStatement, 'phone' | 'state'> {
  /** The only source that it is about; all sources if left out. */
  readonly source?: string;
  readonly reason: string;
  readonly recordedBy?: string;
  /** A new UUID. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The time of AWS has no milliseconds, so a statement of the same second may be the older one. */
const precisionMs = 1000;

/**
 * Returns the statement of an operator. It counts now, and after everything that the register has of this second. It never counts later: a STOP that
 * arrives afterwards must win. So a STOP whose time is ahead of the clock still counts until then.
 *
 * @param newest the number's newest statement
 */
export function statementByHand(
  { phone, state, source, reason, recordedBy, id, now }: EntryByHand,
  newest: Pick<OptOutStatement, 'at'> | undefined,
): OptOutStatement {
  const afterNewest = newest === undefined ? now : Date.parse(newest.at) + 1;
  const time = Math.min(Math.max(now, afterNewest), now + precisionMs);
  return {
    phone: phone.toWellFormed(),
    state,
    at: new Date(time).toISOString(),
    by: 'operator',
    entryId: id,
    reason: reason.toWellFormed(),
    ...omitUndefined({ recordedBy: recordedBy?.toWellFormed() }),
    ...(source !== undefined && { onlySource: true }),
    ...(source !== mainSource && omitUndefined({ source })),
  };
}

/** Returns a statement as it counts by source: what a person or a provider says is about one source, and an operator chooses. */
export function limitedToSource(statement: OptOutStatement): OptOutStatement {
  return statement.by === 'operator' ? statement : { ...statement, onlySource: true };
}

/**
 * Joins two lists of a number's statements: each statement once, with the earliest time of its copies. The order and the repetition of
 * statements do not matter, nor how they are divided, unless more statements are there than the register keeps and copies of one have different times:
 * a copy with another time of a statement that was dropped counts as new.
 *
 * @param known a list that this function returned
 * @returns the newest statement first, which is the number's state. Unchanged statements of `known` are the same objects
 */
export function joinStatements(
  known: readonly OptOutStatement[],
  others: readonly OptOutStatement[],
): OptOutStatement[] {
  const joined = new Map<string, OptOutStatement>();
  for (const statement of [...known, ...others]) {
    const id = statementId(statement);
    const copy = joined.get(id);
    joined.set(id, copy === undefined ? statement : joinCopies(copy, statement));
  }
  return newestOf([...joined.values()].sort((a, b) => compareStatements(b, a)));
}

/**
 * Returns the earlier of two copies, with the later receipt: what arrived again after an erasure is not what was erased. If they differ in the
 * sources that they are about, an opt-out is about all, and an opt-in about one.
 */
function joinCopies(a: OptOutStatement, b: OptOutStatement): OptOutStatement {
  const [receipt = ''] = [receiptOf(a), receiptOf(b)].sort().reverse();
  const earlier = withReceipt(compareStatements(b, a) < 0 ? b : a, receipt);
  const { onlySource, ...statement } = earlier;
  const isLimited = a.onlySource === b.onlySource ? onlySource === true : statement.state === 'in';
  if (isLimited === (onlySource === true)) return earlier;
  return isLimited ? { ...statement, onlySource: true } : statement;
}

/**
 * Returns the statements that the register keeps. No reporter replaces the newest statement of another: a busy source not that of a quiet one, the
 * failures at a provider not the STOP of the person, and an import nothing that an undo of it leaves. An import needs only its newest statement.
 *
 * @param statements newest first
 */
function newestOf(statements: readonly OptOutStatement[]): OptOutStatement[] {
  const imported = statements.filter(({ importId }) => importId !== undefined);
  const others = statements.filter(({ importId }) => importId === undefined);
  const kept = new Set([
    ...countingStatements(statements),
    ...newestOfEach(others, ({ by }) => by),
    ...others.slice(0, maxStatements),
    ...newestOfEach(imported, ({ importId = '' }) => importId).slice(0, maxImports),
  ]);
  return statements.filter((one) => kept.has(one));
}

/** Returns the newest statement of each reporter about each source. @param statements newest first */
function newestOfEach(
  statements: readonly OptOutStatement[],
  reporterOf: (statement: OptOutStatement) => string,
): OptOutStatement[] {
  const newest = new Map<string, OptOutStatement>();
  for (const statement of statements) {
    const reporter = JSON.stringify([reporterOf(statement), aboutSource(statement)]);
    if (!newest.has(reporter)) newest.set(reporter, statement);
  }
  return [...newest.values()];
}

/**
 * Returns the statements that count: the newest one about all sources, and for each source the newest one about it alone if it is newer.
 *
 * @param statements newest first
 * @returns newest first
 */
export function countingStatements(statements: readonly OptOutStatement[]): readonly OptOutStatement[] {
  const counting = new Map<string | undefined, OptOutStatement>();
  for (const statement of statements) {
    const source = aboutSource(statement);
    if (!counting.has(source)) counting.set(source, statement);
    if (source === undefined) break;
  }
  return [...counting.values()];
}

/** Returns the only source that a statement is about; undefined for all. */
export function aboutSource({ onlySource, source = mainSource }: OptOutStatement): string | undefined {
  return onlySource ? source : undefined;
}

/**
 * Returns the state of a number: `out` if it is out of any source. It has the time and the origin of the newest statement that counts and
 * says so.
 *
 * @param statements newest first
 * @param bySource whether opt-outs count by source, so that an opt-out always names its sources
 * @returns undefined without statements
 */
export function stateOfNumber(
  statements: readonly OptOutStatement[],
  bySource: boolean,
): OptOutChange | undefined {
  const counting = countingStatements(statements);
  const [deciding] = [...counting.filter(({ state }) => state === 'out'), ...counting];
  if (deciding === undefined) return undefined;
  const { onlySource: _, eventId: _id, receivedAt: _receivedAt, importId: _importId, ...change } = deciding;
  const isLimited = bySource || counting.some(({ onlySource }) => onlySource);
  if (change.state === 'in' || !isLimited) return change;
  const sourcesThatAre = (state: 'out' | 'in') =>
    counting.flatMap((one) => (one.state === state ? (aboutSource(one) ?? []) : [])).sort();
  const isOutOfOthers = counting.some((one) => one.state === 'out' && aboutSource(one) === undefined);
  return isOutOfOthers
    ? { ...change, outOfAllExcept: sourcesThatAre('in') }
    : { ...change, outOf: sourcesThatAre('out') };
}

/** Returns the state of a number at a source; undefined if nothing was said that is about it. @param statements newest first */
export function stateAt(
  source: string,
  statements: readonly OptOutStatement[],
): OptOutStatement['state'] | undefined {
  return statements.find((one) => [undefined, source].includes(aboutSource(one)))?.state;
}

/** Returns whether a number is opted out of a source. */
export function isOutOf(
  source: string,
  { state, outOf, outOfAllExcept }: Pick<OptOutChange, 'state' | 'outOf' | 'outOfAllExcept'>,
): boolean {
  if (outOf !== undefined) return outOf.includes(source);
  return state === 'out' && outOfAllExcept?.includes(source) !== true;
}

/** Returns whether two statements are copies of one. */
export function isSameStatement(a: OptOutStatement, b: OptOutStatement): boolean {
  return statementId(a) === statementId(b);
}

/** Returns the text that all copies of a statement have in common. */
export function statementId(statement: OptOutStatement): string {
  const { by, state, eventId, source, messageId, importId } = statement;
  const imported = importId === undefined ? '' : ` ${importId}`;
  if (eventId === undefined) return `${by} ${state} ${causeOf(statement)}${imported}`;
  // Like the history, the register relies on event ids of reports only within a message.
  return `${by} ${state} event ${JSON.stringify([eventId, messageId, source])}${imported}`;
}

/** Returns the id in the history of the reply, entry or message that a change comes from. */
export function causeOf({
  source = mainSource,
  replyId,
  entryId,
  messageId,
}: Pick<OptOutChange, 'source' | 'replyId' | 'entryId' | 'messageId'>): string {
  return entryId ?? historyId({ source, id: replyId ?? messageId ?? '' });
}

/**
 * Orders changes by time. Of two changes at the same time "out" is the later one, because the person is opted out when in doubt.
 * Negative if `a` is earlier than `b`.
 */
export function compareOptOutChanges(a: ComparableChange, b: ComparableChange): number {
  // "out" is the greater text of the two.
  return (
    compareText(a.at, b.at) ||
    compareText(a.state, b.state) ||
    compareText(a.by, b.by) ||
    compareText(causeOf(a), causeOf(b))
  );
}

type ComparableChange = Omit<OptOutChange, 'phone'>;

/** Orders statements as {@link compareOptOutChanges} does, then by their other properties, so that the order is total. */
function compareStatements(a: OptOutStatement, b: OptOutStatement): number {
  return (
    compareOptOutChanges(a, b) ||
    compareText(a.eventId ?? '', b.eventId ?? '') ||
    compareText(a.phone, b.phone) ||
    compareText(a.importId ?? '', b.importId ?? '')
  );
}

/** The keys of the register's items begin with this. */
export const optOutPrefix = 'optout#';

/** Returns the key of a number's item. */
export function optOutKey(phone: string): string {
  return keyOf(optOutPrefix, numberKey(phone));
}

/** Returns a number's statements, the newest first. @throws UnreadableItemError */
export function statementsFromItem({ statements = { L: [] } }: Item): OptOutStatement[] {
  const read: unknown = unmarshall({ statements }).statements;
  if (!Array.isArray(read) || read.length === 0 || !read.every(isStatement))
    throw new UnreadableItemError('an opt-out without its statements');
  return read;
}

function isStatement(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { phone, state, at, by, receivedAt = '' } = value;
  return (
    typeof phone === 'string' &&
    (state === 'out' || state === 'in') &&
    typeof at === 'string' &&
    typeof receivedAt === 'string' &&
    typeof by === 'string'
  );
}

/** Returns the state of a number. */
export function optOutChangeFromItem(item: Item): OptOutChange {
  const { phone, phoneAsWritten = phone, state, changedAt: at, by, ...rest } = unmarshall(item);
  const { source, replyId, entryId, messageId, reason, recordedBy, outOf, outOfAllExcept } = rest;
  const cause = omitUndefined({
    source,
    replyId,
    entryId,
    messageId,
    reason,
    recordedBy,
    outOf,
    outOfAllExcept,
  });
  return { phone: phoneAsWritten, state, at, by, ...cause };
}

/** Returns the opt-out of a number; undefined if it wants messages again. */
export function optOutFromItem(item: Item): OptOut | undefined {
  const { state, ...optOut } = optOutChangeFromItem(item);
  return state === 'out' ? optOut : undefined;
}
