import { cutBeforeMask, maskPhone } from '../phone/mask.ts';
import type { NumberProblem } from '../phone/phone-number.ts';
import type { Unread } from '../schema/sms-event.ts';
import { invisible } from '../text/invisible.ts';
import type { ReadTime } from '../text/time.ts';

/** Why a value was kept as received. */
type UnreadProblem =
  | NumberProblem
  | 'unreadable-value'
  | 'no-currency'
  | 'missing'
  | 'no-zone'
  | 'clock-change'
  | 'after-receipt'
  | `looks-like-UTC${string}`;

/** A value that was kept as received, because it could not be read exactly. */
export interface UnreadValue {
  /** The field of the contract's `events.status` or `events.reply`. */
  readonly field: string;
  readonly problem: UnreadProblem;
  /** What the value looks like, without its digits and letters; left out if there is none. */
  readonly example?: string;
}

/** Gathers the values of one event that could not be read. */
export interface UnreadValues {
  readonly values: readonly UnreadValue[];
  /** @param value as received; undefined if there is none @param mayBe the numbers that it may be */
  note(field: string, problem: UnreadProblem, value: unknown, mayBe?: readonly string[]): void;
  /** Returns the numbers that the value of a field may be; undefined if it is read, or cannot be a number. */
  mayBe(field: string): readonly string[] | undefined;
  /**
   * Notes a time whose zone the text does not have.
   *
   * @param asUtc the same time read as UTC, ISO 8601
   * @param text as received
   */
  noteZone(time: ReadTime, asUtc: string, receivedAt: string, text: string): void;
  /** Returns the values as the event keeps them. */
  asReceived(): Pick<Unread, 'unread'>;
}

/** Longer values are cut, in UTF-16 units, also before digits at the end: numbers are masked where a value is shown. */
const maxKeptLength = 128;

/** The fields that hold a number. */
const numbers: ReadonlySet<string> = new Set(['recipient', 'from', 'to']);

export function createUnreadValues(): UnreadValues {
  const values: UnreadValue[] = [];
  const kept: Record<string, string> = {};
  const candidates = new Map<string, readonly string[]>();
  return {
    values,
    note(field, problem, value, mayBe) {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const example = text && exampleOf(field, text);
      values.push({ field, problem, ...(example && { example }) });
      if (text !== undefined) kept[field] = cutBeforeMask(text, maxKeptLength).toWellFormed();
      if (mayBe !== undefined) candidates.set(field, mayBe);
    },
    mayBe: (field) => candidates.get(field),
    noteZone({ iso, zone }, asUtc, receivedAt, text) {
      if (zone === 'clock-change') {
        kept.occurredAt = text;
        values.push({ field: 'occurredAt', problem: 'clock-change', example: patternOf(text) });
        return;
      }
      const isAssumed = zone === 'assumed';
      if (isAssumed) kept.occurredAt = text;
      const offset = offsetFromUtc(asUtc, receivedAt);
      const aheadMs = Date.parse(iso) - Date.parse(receivedAt);
      // In a zone that the contract names, a time before the receipt may be that of a retry.
      const isLikely =
        offset !== undefined && (isAssumed ? offset !== utc : aheadMs >= quarterMs - maxDelayMs);
      const problem = isLikely ? (`looks-like-UTC${offset}` as const) : 'no-zone';
      if (isAssumed || isLikely) values.push({ field: 'occurredAt', problem, example: patternOf(text) });
    },
    asReceived: () => (Object.keys(kept).length === 0 ? {} : { unread: kept }),
  };
}

/** A number with the usual separators shows where its digits are. Any other text may hold a name. */
function exampleOf(field: string, text: string): string {
  return numbers.has(field) && /^[+\d\s().-]*$/.test(text) ? maskPhone(text) : patternOf(text);
}

/** Shows the form of a value: `2026-01-15 12:00` becomes `9999-99-99 99:99`. What is invisible or steers a terminal becomes U+FFFD. */
function patternOf(text: string): string {
  return text
    .slice(0, 40)
    .toWellFormed()
    .replace(/\p{N}/gu, '9')
    .replace(/\p{L}/gu, 'a')
    .replace(invisible, '\ufffd');
}

const quarterMs = 15 * 60_000;
/** Services report within this time. A time that is a whole number of quarters of an hour and so little away from the receipt has another zone. */
const maxDelayMs = 60_000;

/** The offset of UTC itself. */
export const utc = '+00:00';

/**
 * Returns the offset from UTC that a time without a zone looks like, such as `-05:00`: the receipt is at most a minute away from that time in
 * this zone.
 *
 * @param asUtc the time read as UTC, ISO 8601
 * @param receivedAt ISO 8601
 * @returns undefined if the receipt is too far away from every such time
 */
export function offsetFromUtc(asUtc: string, receivedAt: string): string | undefined {
  const differenceMs = Date.parse(asUtc) - Date.parse(receivedAt);
  const quarters = Math.round(differenceMs / quarterMs);
  const delayMs = quarters * quarterMs - differenceMs;
  if (Math.abs(quarters) > 14 * 4 || Math.abs(delayMs) > maxDelayMs) return undefined;
  const minutes = Math.abs(quarters) * 15;
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${quarters < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}
