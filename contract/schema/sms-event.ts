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

/** A failed part of a message outranks the delivered ones: the person did not get the whole message. */
export const failedPartRank = 115;

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
  if (rank === failedPartRank) return 'failure';
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

/** What a message cost, in how many parts it was sent, and by which network. */
export interface CostAndRoute {
  /** What the message cost: a decimal number as text, without sign, exponent and trailing zeros. Only together with `currency`. */
  readonly price?: string;
  /** ISO 4217, three capitals. Only together with `price`. */
  readonly currency?: string;
  /** The number of parts in which the message was sent, from 1 to 255. */
  readonly segments?: number;
  /** The mobile country code and the mobile network code of the recipient's network: 5 or 6 digits. */
  readonly network?: string;
  /** The name of the recipient's network, as the service writes it. */
  readonly carrier?: string;
}

/** What was not read exactly in an event. */
export interface Unread {
  /** How the time was found if the event has none that is exact. Left out for an exact time, and if the contract has no times at all. */
  readonly timeIs?: TimeDoubt;
  /**
   * The values that could not be read, as received, by the field of the contract. Such a field is left out of the event, except a number, which
   * the event has as received, and a time.
   */
  readonly unread?: Readonly<Record<string, string>>;
}

/**
 * `received`: the event has no time, or one that is more than a day after its receipt, so that of its receipt counts. `assumed`: its time has no zone and was read as UTC, or a change of the
 * clock repeats the hour that it names, or leaves it out.
 */
type TimeDoubt = 'received' | 'assumed';

/** A delivery report: the status of one message at one time, as the service reports it. */
export interface StatusEvent extends CostAndRoute, Unread {
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
  /** The channel of the message, such as `whatsapp`; left out for SMS. */
  readonly channel?: string;
  /** The id of the part that the report is about, if the service gives each part of a message an id of its own. */
  readonly partId?: string;
  /** Where the report comes from, if the webhook did not receive it: the answer of a lookup, or a row of an import. */
  readonly origin?: ReportOrigin;
  /** Whether the report was imported without being published. A change that only silent reports make gives no event. */
  readonly silent?: true;
  /** The event as JSON, only if a text of it holds lone surrogates, which a database cannot store. */
  readonly original?: string;
}

/** Where a report comes from that the webhook did not receive. */
export const reportOrigins = ['lookup', 'import'] as const;

export type ReportOrigin = (typeof reportOrigins)[number];

/** One part of a long reply. */
export interface ReplyPart {
  /** The id of the part at the service. */
  readonly partId: string;
  /** From 1 to 255; 0 if it is unknown. */
  readonly number: number;
  /** The number of parts of the reply; 0 if it is unknown. */
  readonly total: number;
}

/** A reply from a recipient. */
export interface ReplyEvent extends Unread {
  readonly kind: 'sms.reply';
  readonly eventId: string;
  readonly replyId: string;
  /** The message that it answers, if the service reports it. */
  readonly messageId?: string;
  readonly from: string;
  readonly to?: string;
  /** Empty if the reply has no words. */
  readonly text: string;
  /** The addresses of its pictures and other media. */
  readonly media?: readonly string[];
  /** The channel of the reply, such as `whatsapp`; left out for SMS. */
  readonly channel?: string;
  /** Set if the service itself says that the person opted out, whatever the words are. */
  readonly optOut?: true;
  /** Set if a row of an import is the reply, and the webhook did not receive it. */
  readonly origin?: 'import';
  /** Which part of a reply it is. Then `replyId` is the id of the whole reply, which the pipeline makes. */
  readonly part?: ReplyPart;
  /** ISO 8601 in UTC, to the millisecond. */
  readonly occurredAt: string;
  /** The event as JSON, if a text of it holds lone surrogates, which a database cannot store, or if it has neither words nor media. */
  readonly original?: string;
}

/** The text of a reply, from which a keyword is read, with sender and time. */
export interface ReplyText
  extends Pick<ReplyEvent, 'eventId' | 'replyId' | 'from' | 'text' | 'optOut' | 'part' | 'timeIs'> {
  /** Undefined if the reply has no readable time. */
  readonly occurredAt?: string;
  /** Whether replies of this contract carry a time. Without one, a copy under another event id looks like a new reply. */
  readonly isTimed: boolean;
  /** The numbers that the sender may be, if its text may be several. */
  readonly mayBeFrom?: readonly string[];
  /** Whether a copy can be distinguished from another reply with the same words: the service sends an id, or a time with a zone. */
  readonly isDistinct: boolean;
  /** Whether its ids follow from its receipt, because the service sends neither an id nor a time. */
  readonly isByReceipt: boolean;
}

export type SmsEvent = StatusEvent | ReplyEvent;
