import type { UnreadValues } from '../drift/unread-values.ts';
import { readPhone } from '../phone/phone-number.ts';
import type { Contract } from '../schema/contract-schema.ts';
import type { SmsEvent } from '../schema/sms-event.ts';
import { readTime } from '../text/time.ts';
import { FieldError, type Fields } from './body.ts';

/** What the fields of one event are read with. */
export interface EventContext {
  /** The event as received. */
  readonly content: unknown;
  /** The event with the signed values beside the body: what its id may depend on. */
  readonly identity: unknown;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Gathers what cannot be read. */
  readonly unread: UnreadValues;
}

/** Reads the fields that reports and replies have in common. */
export type CommonFields = ReturnType<typeof createCommonFields>;

/** @param isForm whether events are of a form or a query, where a "+" may arrive as a blank */
export function createCommonFields(rules: Contract['events'], isForm: boolean) {
  /** Reads an address: the number, and the channel that the address or the event names. */
  function addressOf<N extends 'phone' | 'from'>(
    name: N,
    field: string,
    text: string | undefined,
    channelOfEvent: string | undefined,
    unread: UnreadValues,
  ): { readonly [K in N]?: string } & { readonly channel?: string } {
    const ofEvent = channelOfEvent?.trim().toLowerCase();
    const { phone, channel, problem, mayBe } =
      text === undefined ? { phone: '' } : readPhone(text, rules, isForm, ofEvent);
    if (problem !== undefined) unread.note(field, problem, text, mayBe);
    const named = channel ?? ofEvent;
    return { ...present(name, phone), ...present('channel', named === 'sms' ? undefined : named) };
  }

  /** Reads when an event happened. An event without a time, or with one more than a day after its receipt, counts at its receipt. @throws FieldError for a text that is no time */
  function timeOf(
    expression: string | null,
    { optional }: Pick<Fields<'occurredAt'>, 'optional'>,
    { receivedAt, unread }: EventContext,
  ): Pick<SmsEvent, 'occurredAt' | 'timeIs'> {
    if (expression === null) return { occurredAt: receivedAt };
    const text = optional('occurredAt', 64);
    if (text === undefined || noTime.test(text)) {
      unread.note('occurredAt', 'missing', undefined);
      return { occurredAt: receivedAt, timeIs: 'received' };
    }
    const time = readTime(rules.timeFormat, text, rules.timeZone);
    if (time === undefined || time.iso < firstSms) throw new FieldError('bad-time', 'occurredAt');
    if (Date.parse(time.iso) > Date.parse(receivedAt) + maxAheadMs) {
      unread.note('occurredAt', 'after-receipt', text);
      return { occurredAt: receivedAt, timeIs: 'received' };
    }
    if (time.zone === 'written') return { occurredAt: time.iso };
    const asUtc = rules.timeZone === null ? time : readTime(rules.timeFormat, text, null);
    unread.noteZone(time, asUtc?.iso ?? time.iso, receivedAt, text);
    return { occurredAt: time.iso, ...(time.zone !== 'named' && { timeIs: 'assumed' as const }) };
  }

  /** Returns the value of a field that an event can do without. Notes one that is no text, or too long. */
  function lenient<F extends string>(
    fields: Pick<Fields<F>, 'optional' | 'raw'>,
    field: F,
    maxLength: number,
    unread: UnreadValues,
  ): string | undefined {
    try {
      return fields.optional(field, maxLength);
    } catch {
      unread.note(
        field,
        'unreadable-value',
        ifReadable(() => fields.raw(field)),
      );
      return undefined;
    }
  }

  return { addressOf, timeOf, lenient };
}

/** What services write for a time that they do not have: zeros, or the day with which time begins in .NET or Unix. */
const noTime = /^(?:[0\sT:.+Z-]*$|(?:0001|1970)-01-01)/;

/** An event cannot happen after its receipt. A time without a zone, read as UTC, is up to 14 hours ahead of the clock, and clocks differ. */
const maxAheadMs = 24 * 60 * 60_000;

/** No SMS was sent before December 1992. An earlier time is in another unit or format. */
const firstSms = '1992-12-01';

/** The limit of an address in UTF-16 units: that of a mail address, the longest of those that replies come from. */
export const maxAddressLength = 320;

/** Returns whether a service says nothing: no value, a blank one, or zero parts of a message that was not sent yet. */
export function isBlank(value: unknown): boolean {
  return value === undefined || value === null || /^0*$/.test(String(value).trim());
}

/** Returns undefined if a field cannot be read or its expression fails. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns a property with a text; none if there is no text. */
export function present<K extends string>(name: K, value: string | undefined): { [N in K]?: string } {
  return value === undefined || value === '' ? {} : ({ [name]: value } as { [N in K]: string });
}
