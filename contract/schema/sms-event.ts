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

/** How a contract writes times. */
export const timeFormats = ['iso8601', 'unix-seconds', 'unix-milliseconds'] as const;

export type TimeFormat = (typeof timeFormats)[number];

const iso8601 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2}):?(\d{2}))?$/;

const year1970 = 0;
const year3000 = Date.UTC(3000, 0);

/**
 * Reads a time in the contract's format.
 *
 * @returns ISO 8601 in UTC to the millisecond, so that text order is time order; undefined for any other text. A time without a zone
 * is UTC
 */
export function parseTime(format: TimeFormat, text: string): string | undefined {
  const time = format === 'iso8601' ? fromIso(text) : fromUnix(text, format === 'unix-seconds' ? 1000 : 1);
  return time !== undefined && time >= year1970 && time < year3000 ? new Date(time).toISOString() : undefined;
}

/** Writes a time in the contract's format. */
export function renderTime(format: TimeFormat, iso: string): string | number {
  if (format === 'iso8601') return iso;
  return Date.parse(iso) / (format === 'unix-seconds' ? 1000 : 1);
}

function fromUnix(text: string, unitMs: number): number | undefined {
  return /^\d{1,14}(\.\d{1,9})?$/.test(text) ? Math.floor(Number(text) * unitMs) : undefined;
}

function fromIso(text: string): number | undefined {
  const match = iso8601.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  // A leap second (60) counts as the second after it, as in Unix time.
  if (year < 1970 || month < 1 || month > 12 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute - offset, second, milliseconds);
}
