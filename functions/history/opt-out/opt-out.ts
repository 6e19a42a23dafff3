import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyId, mainSource, serviceIds } from '../../../contract/events/source-id.ts';
import { outcomeOf, type ReplyText, type StatusEvent } from '../../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../base/basics.ts';
import { type Item, keyOf, numberKey } from '../item-keys.ts';
import { compareText } from '../message.ts';
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
  /**
   * The sources that the number is opted out of, if opt-outs count by source (`optOutsBySource`). Left out where the state counts for all
   * sources.
   */
  readonly outOf?: readonly string[];
}

/** A number that wants no more messages. */
export type OptOut = Omit<OptOutChange, 'state'>;

/** The wish in one reply, entry or failure. A reply with an "out" version and an "in" version has two statements. */
export interface OptOutStatement extends Omit<OptOutChange, 'outOf'> {
  /**
   * Identifies the version of the reply, or the report of the failure. Undefined if the reply's id identifies it, because the service
   * reports no time. It ends with the time of receipt if a copy looks like a second reply.
   */
  readonly eventId?: string;
}

/** The register keeps the newest statements of a number, up to this many. */
export const maxStatements = 100;

/** The service's clock may be ahead of ours by this much. */
const clockToleranceMs = 5 * 60_000;

/** Returns the wish in a reply; undefined for most replies, which express no wish. @param receivedAt ISO 8601 in UTC */
export function readStatement(
  { eventId, replyId, from, text, occurredAt, isTimed, isDistinct }: ReplyText,
  receivedAt: string,
  keywordOf: KeywordOf,
): OptOutStatement | undefined {
  const keyword = keywordOf(text, from);
  if (keyword !== 'stop' && keyword !== 'start') return undefined;
  const state = keyword === 'stop' ? 'out' : 'in';
  const ownId = isTimed || !replyId.isWellFormed() ? eventId : undefined;
  // A second STOP may look like a copy of the first. When in doubt the person is opted out, so each receipt is a statement.
  const id = state === 'out' && !isDistinct ? `${eventId} ${receivedAt}` : ownId;
  return {
    // The database keeps well-formed text only. A statement must be equal before and after it is stored.
    phone: from.toWellFormed(),
    state,
    at: effectiveTime(state, occurredAt, receivedAt),
    by: 'person',
    ...serviceIds({ replyId: replyId.toWellFormed() }),
    ...omitUndefined({ eventId: id }),
  };
}

/**
 * Returns the opt-out in a delivery report: the provider did not deliver the message, because the number opted out there. Undefined for every
 * other report, and for a report without the number.
 *
 * @param receivedAt ISO 8601 in UTC
 */
export function readFailure(
  { eventId, messageId, phone, rank, errorReason, occurredAt }: StatusEvent,
  receivedAt: string,
): OptOutStatement | undefined {
  if (phone === undefined || errorReason !== 'opted_out' || outcomeOf(rank) !== 'failure') return undefined;
  return {
    phone: phone.toWellFormed(),
    state: 'out',
    at: effectiveTime('out', occurredAt, receivedAt),
    by: 'provider',
    ...serviceIds({ messageId: messageId.toWellFormed() }),
    eventId,
  };
}

/**
 * Returns the time that counts for a statement. A START never counts after its receipt, otherwise it would win over a STOP that is received
 * after it. A STOP or a failure may be ahead by as much as clocks differ.
 */
function effectiveTime(state: 'out' | 'in', occurredAt: string | undefined, receivedAt: string): string {
  if (occurredAt === undefined) return receivedAt;
  const latest = Date.parse(receivedAt) + (state === 'out' ? clockToleranceMs : 0);
  return Date.parse(occurredAt) <= latest ? occurredAt : new Date(latest).toISOString();
}

/** What an operator records for a person who asked by phone or mail. */
export interface EntryByHand extends Pick<OptOutStatement, 'phone' | 'state' | 'source'> {
  readonly reason: string;
  /** A new UUID. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Returns the statement of an operator. It counts from now on, and in any case after everything that the register has: the service's clock may
 * be ahead.
 *
 * @param known the number's present state
 */
export function statementByHand(
  { phone, state, source, reason, id, now }: EntryByHand,
  known: OptOutChange | undefined,
): OptOutStatement {
  const time = known === undefined ? now : Math.max(now, Date.parse(known.at) + 1);
  return {
    ...{ phone: phone.toWellFormed(), state, at: new Date(time).toISOString() },
    ...{ by: 'operator', entryId: id, reason: reason.toWellFormed() },
    ...omitUndefined({ source }),
  };
}

/**
 * Joins two lists of a number's statements: each statement once, with the earliest time of its copies. The order and the repetition of
 * statements do not matter, as long as there are at most {@link maxStatements}.
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
    const id = idOf(statement);
    const copy = joined.get(id);
    if (copy === undefined || compareStatements(statement, copy) < 0) joined.set(id, statement);
  }
  return [...joined.values()].sort((a, b) => compareStatements(b, a)).slice(0, maxStatements);
}

/** Returns the statement of each source that counts if opt-outs count by source. @param statements newest first */
export function newestBySource(statements: readonly OptOutStatement[]): readonly OptOutStatement[] {
  const newest = new Map<string, OptOutStatement>();
  for (const statement of statements) {
    const { source = mainSource } = statement;
    if (!newest.has(source)) newest.set(source, statement);
  }
  return [...newest.values()];
}

/**
 * Returns the state of a number whose opt-outs count by source: out of some sources, or of none. It has the time and the origin of the newest
 * statement that says so.
 *
 * @param statements newest first
 * @returns undefined without statements
 */
export function stateBySource(statements: readonly OptOutStatement[]): OptOutChange | undefined {
  const counting = newestBySource(statements);
  const out = counting.filter(({ state }) => state === 'out');
  const [deciding] = [...out, ...counting];
  return deciding && { ...deciding, outOf: out.map(({ source = mainSource }) => source).sort() };
}

/** Returns whether two statements are copies of one. */
export function isSameStatement(a: OptOutStatement, b: OptOutStatement): boolean {
  return idOf(a) === idOf(b);
}

function idOf(statement: OptOutStatement): string {
  const { by, state, eventId, source, messageId } = statement;
  if (eventId === undefined) return `${by} ${state} ${causeOf(statement)}`;
  // Like the history, the register relies on event ids of reports only within a message.
  return `${by} ${state} event ${JSON.stringify([eventId, messageId, source])}`;
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
    compareText(a.phone, b.phone)
  );
}

/** The keys of the register's items begin with this. */
export const optOutPrefix = 'optout#';

/** Returns the key of a number's item. The service may write a number with and without "+", and both are one number. */
export function optOutKey(phone: string): string {
  return keyOf(optOutPrefix, numberKey(phone));
}

/** Returns a number's statements, the newest first. */
export function statementsFromItem(item: Item): OptOutStatement[] {
  return unmarshall(item).statements;
}

/** Returns the state of a number. */
export function optOutChangeFromItem(item: Item): OptOutChange {
  const { phone, phoneAsWritten = phone, state, changedAt: at, by, ...rest } = unmarshall(item);
  const { source, replyId, entryId, messageId, reason, outOf } = rest;
  const cause = omitUndefined({ source, replyId, entryId, messageId, reason, outOf });
  return { phone: phoneAsWritten, state, at, by, ...cause };
}

/** Returns the opt-out of a number; undefined if it wants messages again. */
export function optOutFromItem(item: Item): OptOut | undefined {
  const { state, ...optOut } = optOutChangeFromItem(item);
  return state === 'out' ? optOut : undefined;
}
