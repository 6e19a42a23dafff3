/** The canonical statuses of a message, in rising order of rank. */
export const canonicalStatuses = [
  'accepted',
  'queued',
  'sent',
  'unknown',
  'expired',
  'rejected',
  'failed',
  'undelivered',
  'delivered',
  'read',
] as const;

export type CanonicalStatus = (typeof canonicalStatuses)[number];

/** What a status says about the end of a message's way; `failure` and `success` contradict each other. */
export type Outcome = 'open' | 'unknown' | 'failure' | 'success';

interface StatusMeaning {
  readonly rank: number;
  readonly outcome: Outcome;
}

const meanings: Readonly<Record<CanonicalStatus, StatusMeaning>> = {
  accepted: { rank: 10, outcome: 'open' },
  queued: { rank: 20, outcome: 'open' },
  sent: { rank: 30, outcome: 'open' },
  unknown: { rank: 90, outcome: 'unknown' },
  expired: { rank: 100, outcome: 'failure' },
  rejected: { rank: 100, outcome: 'failure' },
  failed: { rank: 100, outcome: 'failure' },
  undelivered: { rank: 100, outcome: 'failure' },
  delivered: { rank: 110, outcome: 'success' },
  read: { rank: 120, outcome: 'success' },
};

/** Rank of a word the contract does not list: below every canonical status. */
export const unmappedRank = 0;

export function rankOf(status: CanonicalStatus): number {
  return meanings[status].rank;
}

/** The outcome a stored rank stands for: ranks decide, so that a word the contract did not know stays open. */
export function outcomeOf(rank: number): Outcome {
  return Object.values(meanings).find((meaning) => meaning.rank === rank)?.outcome ?? 'open';
}

/** Why a message failed, in words that mean the same whatever the service. */
export const canonicalErrorReasons = [
  'invalid_number',
  'unreachable',
  'landline',
  'blocked',
  'opted_out',
  'spam',
  'content_rejected',
  'carrier_rejected',
  'unregistered_sender',
  'no_route',
  'expired',
  'throttled',
  'insufficient_funds',
  'service_error',
  'unknown',
] as const;

export type CanonicalErrorReason = (typeof canonicalErrorReasons)[number];

/** A delivery report: what the service says became of one message at one moment. */
export interface StatusEvent {
  readonly kind: 'sms.status';
  /** Printable ASCII, 128 characters at most. */
  readonly eventId: string;
  readonly messageId: string;
  readonly sendId?: string;
  /** The recipient: E.164 where it could be read as such, else as it came. */
  readonly phone?: string;
  /** The canonical status, or the service's word where the contract does not list it. */
  readonly status: CanonicalStatus | (string & {});
  readonly rank: number;
  /** The service's word, where it differs from `status`. */
  readonly word?: string;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly occurredAt: string;
  readonly errorCode?: string;
  /** What the error code means, where the contract lists it. */
  readonly errorReason?: CanonicalErrorReason;
  readonly errorText?: string;
  /** The event as JSON, only where a text of it holds lone surrogates, which a database cannot keep. */
  readonly original?: string;
}

/** A reply somebody sent. */
export interface ReplyEvent {
  readonly kind: 'sms.reply';
  readonly eventId: string;
  readonly replyId: string;
  /** The message it answers, where the service tells. */
  readonly messageId?: string;
  readonly from: string;
  readonly to?: string;
  readonly text: string;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly occurredAt: string;
  /** The event as JSON, only where a text of it holds lone surrogates, which a database cannot keep. */
  readonly original?: string;
}

/** What a keyword is read from: who replied what, and when. */
export interface ReplyText extends Pick<ReplyEvent, 'eventId' | 'replyId' | 'from' | 'text'> {
  /** Undefined where the reply has no time that can be read. */
  readonly occurredAt?: string;
  /** Whether replies of this contract have a time of their own. Without one a copy under another event id looks like a new reply. */
  readonly isTimed: boolean;
  /** Whether a copy can be told from another reply of the same words: the service reports a time or an id. */
  readonly isDistinct: boolean;
}

export type SmsEvent = StatusEvent | ReplyEvent;
