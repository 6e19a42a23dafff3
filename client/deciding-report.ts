import {
  type CanonicalStatus,
  canonicalStatuses,
  rankOf,
  unmappedRank,
} from '../contract/schema/sms-event.ts';
import type { Message, StatusEvent } from './types.ts';

/** Why a report decides the status of its message. */
type DecidingReason =
  /** There is no other report. */
  | { readonly kind: 'only' }
  /** Its status is more final than that of every other report. */
  | { readonly kind: 'rank'; readonly next: string }
  /** Another report has a status of the same rank, and an origin of lower precedence. */
  | { readonly kind: 'origin'; readonly next: string }
  /** Another report has a status of the same rank, and happened earlier; of two answers of lookups, the other was received earlier. */
  | { readonly kind: 'later'; readonly next: string }
  /** Another report has the same rank and the same time. The greater event id decides. */
  | { readonly kind: 'id'; readonly next: string };

export interface Decision {
  readonly report: StatusEvent;
  readonly reason: DecidingReason;
  /** Whether a report that happened later does not decide. */
  readonly isOvertaken: boolean;
}

export function isCanonicalStatus(status: string): status is CanonicalStatus {
  return (canonicalStatuses as readonly string[]).includes(status);
}

function rankOfWord(status: string): number {
  return isCanonicalStatus(status) ? rankOf(status) : unmappedRank;
}

/** The sources of reports, in rising order of precedence. */
const origins: readonly StatusEvent['origin'][] = ['lookup', 'import', undefined];

/** Orders reports by precedence, as the history does: by rank, then origin, then time, then event id. Of answers of lookups the time of receipt counts. */
function compareReports(a: StatusEvent, b: StatusEvent): number {
  return (
    rankOfWord(a.status) - rankOfWord(b.status) ||
    origins.indexOf(a.origin) - origins.indexOf(b.origin) ||
    compareText(decidingTimeOf(a), decidingTimeOf(b)) ||
    compareText(a.eventId, b.eventId)
  );
}

function decidingTimeOf({ origin, occurredAt, receivedAt }: StatusEvent): string {
  return origin === 'lookup' ? receivedAt : occurredAt;
}

interface ReportedMessage extends Pick<Message, 'status' | 'statusAt'> {
  readonly events: readonly StatusEvent[];
}

/** Returns the report that decides the status of a message, and why; undefined where the message has no report. */
export function decisionOf({ events, status, statusAt }: ReportedMessage): Decision | undefined {
  const ordered = events.toSorted(compareReports);
  // A report was ranked by the contract of its time. The stored status decides where today's ranks differ.
  const report =
    ordered.findLast((event) => event.status === status && event.occurredAt === statusAt) ?? ordered.at(-1);
  if (report === undefined) return undefined;
  const next = ordered.findLast((event) => event !== report);
  return {
    report,
    reason: next === undefined ? { kind: 'only' } : reasonOver(report, next),
    isOvertaken: events.some((event) => event !== report && event.occurredAt > report.occurredAt),
  };
}

/**
 * Returns the time of a message's earliest report, at which figures count it; ISO 8601. A message that only lookups know counts at the time of its
 * status.
 */
export function firstReportAt({ events, statusAt }: Pick<Message, 'events' | 'statusAt'>): string {
  const reported = events.filter(({ origin }) => origin !== 'lookup');
  return reported.map(({ occurredAt }) => occurredAt).toSorted()[0] ?? statusAt;
}

function reasonOver(report: StatusEvent, next: StatusEvent): DecidingReason {
  if (rankOfWord(report.status) !== rankOfWord(next.status)) return { kind: 'rank', next: next.status };
  if (report.origin !== next.origin) return { kind: 'origin', next: next.status };
  return { kind: decidingTimeOf(report) === decidingTimeOf(next) ? 'id' : 'later', next: next.status };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The sentences that say why a report decides. */
export interface DecisionTexts {
  readonly only: string;
  readonly rank: (winner: string, other: string) => string;
  readonly origin: (other: string) => string;
  readonly later: (other: string) => string;
  readonly id: string;
  /** Added if a report that happened later does not decide. */
  readonly overtaken: string;
}

export const englishDecision: DecisionTexts = {
  only: 'It is the only report.',
  rank: (winner, other) => `“${winner}” is more final than “${other}”.`,
  origin: (other) => `The report with “${other}” has the same rank, and comes from a lookup or an import.`,
  later: (other) => `It is later than the other report with “${other}” or a status of the same rank.`,
  id: 'Another report has the same rank and time. The greater event id decides, so that the order of arrival does not matter.',
  overtaken: 'A report that happened later does not change the status: its status is less final.',
};

/** Says why a report decides. @param nameOf names a status for readers */
export function decisionText(
  { report, reason, isOvertaken }: Decision,
  texts: DecisionTexts,
  nameOf: (status: string) => string,
): string {
  const next = 'next' in reason ? nameOf(reason.next) : '';
  const why = {
    only: () => texts.only,
    rank: () => texts.rank(nameOf(report.status), next),
    origin: () => texts.origin(next),
    later: () => texts.later(next),
    id: () => texts.id,
  }[reason.kind]();
  return isOvertaken ? `${why} ${texts.overtaken}` : why;
}
