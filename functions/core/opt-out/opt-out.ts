import type { ReplyText } from '../events/event.ts';
import { compareText } from '../history/content.ts';
import type { KeywordOf } from './keyword.ts';

/** That a number wants no more messages, or wants them again. */
export interface OptOutChange {
  /** E.164 where it can be read as such. */
  readonly phone: string;
  readonly state: 'out' | 'in';
  /** When it was said; ISO 8601 in UTC. Of several the newest counts. */
  readonly at: string;
  /** The reply that said it. */
  readonly replyId: string;
}

/** A number that wants no more messages. */
export type OptOut = Omit<OptOutChange, 'state'>;

/** What one reply says about being written to: "out" and "in" of one reply are two statements. */
export interface OptOutStatement extends OptOutChange {
  /**
   * Tells the versions of a reply apart. Undefined where only the reply's id can tell a copy from something new: the service
   * reports no time, or a version of this pipeline without statements wrote it. It ends with the time of receipt where nothing can.
   */
  readonly eventId?: string;
}

/** So many statements of a number are kept, the newest. */
export const maxStatements = 100;

/** How far the service's clock may be ahead of ours. */
const clockToleranceMs = 5 * 60_000;

/** Reads what a reply says about being written to; most replies say nothing. @param receivedAt ISO 8601 in UTC */
export function readStatement(
  { eventId, replyId, from, text, occurredAt, isTimed, isDistinct }: ReplyText,
  receivedAt: string,
  keywordOf: KeywordOf,
): OptOutStatement | undefined {
  const keyword = keywordOf(text, from);
  if (keyword !== 'stop' && keyword !== 'start') return undefined;
  const state = keyword === 'stop' ? 'out' : 'in';
  const ownId = isTimed || !replyId.isWellFormed() ? eventId : undefined;
  // A second STOP may look like a copy of the first. When in doubt, the person is opted out, so each receipt is a statement.
  const id = state === 'out' && !isDistinct ? `${eventId} ${receivedAt}` : ownId;
  return {
    // What a database gives back: an id or a number is the same before and after it is stored.
    phone: from.toWellFormed(),
    state,
    at: effectiveTime(state, occurredAt, receivedAt),
    replyId: replyId.toWellFormed(),
    ...(id === undefined ? {} : { eventId: id }),
  };
}

/**
 * When something counts as said. A time further ahead of the receipt than clocks differ is wrong: then STOP counts as late as it can have
 * been said, and START as early.
 */
function effectiveTime(state: 'out' | 'in', occurredAt: string | undefined, receivedAt: string): string {
  if (occurredAt === undefined) return receivedAt;
  const latest = Date.parse(receivedAt) + clockToleranceMs;
  if (Date.parse(occurredAt) <= latest) return occurredAt;
  return state === 'out' ? new Date(latest).toISOString() : receivedAt;
}

/**
 * Joins statements of a number. Of copies of one statement the earliest time counts, so order and repetition do not matter as long as
 * there are no more than {@link maxStatements}.
 *
 * @param known as this function gives them
 * @returns the newest first: the first one is what the number wants. Those of `known` that stay are the same objects
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

/** Whether two statements are copies of one. */
export function isSameStatement(a: OptOutStatement, b: OptOutStatement): boolean {
  return idOf(a) === idOf(b);
}

function idOf({ state, eventId, replyId }: OptOutStatement): string {
  return eventId === undefined ? `${state} reply ${replyId}` : `${state} event ${eventId}`;
}

/**
 * Orders what a number said: the newest counts. Of one moment "out" counts: when in doubt, the person is opted out. Negative where `a`
 * counts less than `b`.
 */
export function compareOptOutChanges(a: SaidChange, b: SaidChange): number {
  // "out" is the greater text of the two.
  return compareText(a.at, b.at) || compareText(a.state, b.state) || compareText(a.replyId, b.replyId);
}

type SaidChange = Pick<OptOutChange, 'at' | 'replyId' | 'state'>;

/** As {@link compareOptOutChanges}, then by what else differs, so that the order is always the same. */
function compareStatements(a: OptOutStatement, b: OptOutStatement): number {
  return (
    compareOptOutChanges(a, b) ||
    compareText(a.eventId ?? '', b.eventId ?? '') ||
    compareText(a.phone, b.phone)
  );
}
