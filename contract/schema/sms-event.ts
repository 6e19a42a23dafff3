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

/** A delivery report: the status of one message at one time, as the service reports it. */
export interface StatusEvent extends CostAndRoute {
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
  /** Where the report comes from, if the webhook did not receive it: the answer of a look-up, or a row of an import. */
  readonly origin?: ReportOrigin;
  /** Whether the report was imported without being published. A change that only silent reports make gives no event. */
  readonly silent?: true;
  /** The event as JSON, only if a text of it holds lone surrogates, which a database cannot store. */
  readonly original?: string;
}

/** Where a report comes from that the webhook did not receive. */
export const reportOrigins = ['lookup', 'import'] as const;

export type ReportOrigin = (typeof reportOrigins)[number];

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

/** The formats of times, in the order in which a text is tried: no later format reads what an earlier one writes until 2033. */
export const timeFormats = ['iso8601', 'rfc2822', 'smpp', 'unix-seconds', 'unix-milliseconds'] as const;

export type TimeFormat = (typeof timeFormats)[number];

/** One format, or several if a service writes its times in several. */
export type TimeFormats = TimeFormat | readonly TimeFormat[];

const iso8601 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: ?(?:[Zz]|([+-])(\d{2}):?(\d{2})))?$/;
/** RFC 2822, section 3.3, without comments. A zone by letters is UTC. */
const rfc2822 =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))? (?:GMT|UTC?|Z|([+-])(\d{2})(\d{2}))$/;
/** The dates of an SMPP delivery receipt: YYMMDDhhmm, optionally with seconds (SMPP 3.4, appendix B). */
const smpp = /^(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})?$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const year1970 = 0;
const year3000 = Date.UTC(3000, 0);

/**
 * Reads a time in one of the contract's formats.
 *
 * @returns ISO 8601 in UTC to the millisecond, so that text order is time order; undefined for any other text. A time without a zone
 * is UTC
 */
export function parseTime(formats: TimeFormats, text: string): string | undefined {
  for (const format of typeof formats === 'string' ? [formats] : timeFormats) {
    const time = formats.includes(format) ? readers[format](text) : undefined;
    if (time !== undefined && time >= year1970 && time < year3000) return new Date(time).toISOString();
  }
  return undefined;
}

/** Writes a time in the contract's format, in the first of several. */
export function renderTime(formats: TimeFormats, iso: string): string | number {
  const time = Date.parse(iso);
  switch (typeof formats === 'string' ? formats : formats[0]) {
    case 'unix-seconds':
      return time / 1000;
    case 'unix-milliseconds':
      return time;
    case 'rfc2822':
      return new Date(time).toUTCString().replace('GMT', '+0000');
    case 'smpp':
      return new Date(time).toISOString().slice(2, 16).replace(/\D/g, '');
    default:
      return iso;
  }
}

const readers: Readonly<Record<TimeFormat, (text: string) => number | undefined>> = {
  iso8601: fromIso,
  rfc2822: fromRfc2822,
  smpp: fromSmpp,
  'unix-seconds': (text) => fromUnix(text, 1000),
  'unix-milliseconds': (text) => fromUnix(text, 1),
};

function fromUnix(text: string, unitMs: number): number | undefined {
  return /^\d{1,14}(\.\d{1,9})?$/.test(text) ? Math.floor(Number(text) * unitMs) : undefined;
}

function fromIso(text: string): number | undefined {
  const match = iso8601.exec(text);
  if (match === null) return undefined;
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3));
  return utc(match.slice(1, 7), match.slice(8), milliseconds);
}

function fromRfc2822(text: string): number | undefined {
  const [, day, name = '', year, hour, minute, second, ...zone] = rfc2822.exec(text) ?? [];
  return utc([year, String(months.indexOf(name) + 1), day, hour, minute, second], zone, 0);
}

function fromSmpp(text: string): number | undefined {
  const [, year, ...rest] = smpp.exec(text) ?? [];
  return utc([`20${year}`, ...rest], [], 0);
}

/** @param fields year, month, day, hour, minute and second @param zone the sign, hours and minutes of the offset; empty for UTC */
function utc(
  fields: readonly (string | undefined)[],
  zone: readonly (string | undefined)[],
  milliseconds: number,
): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields.map((part) =>
    Number(part ?? 0),
  );
  const [offsetHours, offsetMinutes] = [Number(zone[1] ?? 0), Number(zone[2] ?? 0)];
  const offset = (zone[0] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  // A leap second (60) counts as the second after it, as in Unix time.
  if (!(year >= 1970 && month >= 1 && month <= 12 && hour <= 23 && minute <= 59 && second <= 60))
    return undefined;
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  if (day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute - offset, second, milliseconds);
}
