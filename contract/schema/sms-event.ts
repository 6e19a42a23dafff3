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

/** The outcome that a status reports; `failure` and `success` contradict each other. */
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

/** The rank of a word that the contract does not list: below every canonical status. */
export const unmappedRank = 0;

export function rankOf(status: CanonicalStatus): number {
  return meanings[status].rank;
}

/** Returns the outcome of a stored rank. The rank decides, so that a word which the contract did not list stays open. */
export function outcomeOf(rank: number): Outcome {
  return Object.values(meanings).find((meaning) => meaning.rank === rank)?.outcome ?? 'open';
}

/** The reasons why a message failed, the same for every service. */
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

/** A delivery report: the status of one message at one time, as the service reports it. */
export interface StatusEvent {
  readonly kind: 'sms.status';
  /** Printable ASCII, at most 128 characters. */
  readonly eventId: string;
  readonly messageId: string;
  readonly sendId?: string;
  /** The recipient: E.164 if it can be read as a phone number, otherwise as received. */
  readonly phone?: string;
  /** The canonical status, or the service's word if the contract does not list it. */
  readonly status: CanonicalStatus | (string & {});
  readonly rank: number;
  /** The service's word, if it differs from `status`. */
  readonly word?: string;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly occurredAt: string;
  readonly errorCode?: string;
  /** The meaning of the error code, if the contract lists it. */
  readonly errorReason?: CanonicalErrorReason;
  readonly errorText?: string;
  /** The event as JSON, only if a text of it holds lone surrogates, which a database cannot store. */
  readonly original?: string;
}

/** A reply from a recipient. */
export interface ReplyEvent {
  readonly kind: 'sms.reply';
  readonly eventId: string;
  readonly replyId: string;
  /** The message that it answers, if the service reports it. */
  readonly messageId?: string;
  readonly from: string;
  readonly to?: string;
  readonly text: string;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly occurredAt: string;
  /** The event as JSON, only if a text of it holds lone surrogates, which a database cannot store. */
  readonly original?: string;
}

/** The text of a reply, from which a keyword is read, with sender and time. */
export interface ReplyText extends Pick<ReplyEvent, 'eventId' | 'replyId' | 'from' | 'text'> {
  /** Undefined if the reply has no readable time. */
  readonly occurredAt?: string;
  /** Whether replies of this contract carry a time. Without one, a copy under another event id looks like a new reply. */
  readonly isTimed: boolean;
  /** Whether a copy can be distinguished from another reply with the same words: the service sends a time or an id. */
  readonly isDistinct: boolean;
}

export type SmsEvent = StatusEvent | ReplyEvent;
