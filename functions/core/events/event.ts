import type { CanonicalErrorReason } from '../error-reasons.ts';
import type { CanonicalStatus } from '../statuses.ts';

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
