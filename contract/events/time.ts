import type { EventsContract } from '../schema/contract-schema.ts';

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
export function parseTime(format: EventsContract['timeFormat'], text: string): string | undefined {
  const time = format === 'iso8601' ? fromIso(text) : fromUnix(text, format === 'unix-seconds' ? 1000 : 1);
  return time !== undefined && time >= year1970 && time < year3000 ? new Date(time).toISOString() : undefined;
}

/** Writes a time in the contract's format. */
export function renderTime(format: EventsContract['timeFormat'], iso: string): string | number {
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
