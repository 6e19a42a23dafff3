import type { DateTime } from 'luxon';
import { UsageError } from '../target/errors.ts';

const accepted =
  'Expected ISO 8601 (2026-01-15, 2026-01-15T09:30, 2026-01-15T12:30:05Z; without a zone it is local time), now, today, yesterday, or how long ago: 90s, 15m, 2h, 3d, 1w.';

const isoTime =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/i;

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** What ISO 8601 can say with years of four digits. */
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/** What a time is read with. */
export interface TimeReading {
  /** The option, for messages: `--since`. */
  readonly option: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name of the reader's time zone. */
  readonly zone: string;
}

/**
 * Reads a time as people write it: ISO 8601 (local where it names no zone, a date alone from its first moment on), a day
 * by its name, or how long ago.
 *
 * A local time that a change of clocks makes twice is the first of the two; one that it leaves out is as much later.
 *
 * @returns ISO 8601 in UTC with milliseconds
 * @throws UsageError for what is no time, or a date that does not exist, saying what is accepted
 */
export async function readTime(text: string, reading: TimeReading): Promise<string> {
  const { option, now, zone } = reading;
  const word = text.trim();
  const refuse = (problem: string) => new UsageError(`${option} "${text}" ${problem}. ${accepted}`);

  const [, count, unit = ''] = /^(\d{1,9})([smhdw])$/.exec(word) ?? [];
  if (count !== undefined) return inRange(now - Number(count) * (unitMs[unit] ?? 0));
  if (word === 'now') return inRange(now);

  const { DateTime } = await import('luxon');
  const local = DateTime.fromMillis(now, { zone });
  if (word === 'today') return startOf(local.toISODate() ?? '');
  if (word === 'yesterday') return startOf(local.minus({ days: 1 }).toISODate() ?? '');
  const [, date = '', time, offset = ''] = isoTime.exec(word) ?? [];
  if (date === '') throw refuse('is no time');
  return time === undefined ? startOf(date) : at(`${date}T${time}`, offset.toUpperCase());

  function startOf(day: string): string {
    return at(`${day}T00:00`);
  }

  function at(iso: string, offset = ''): string {
    const found = DateTime.fromISO(`${iso}${offset}`, { zone });
    if (!found.isValid) throw refuse('does not exist');
    return inRange(offset === '' ? firstOf(found) : found.toMillis());
  }

  function inRange(ms: number): string {
    if (ms < earliestMs || ms > latestMs) throw refuse('is too far away');
    return new Date(ms).toISOString();
  }
}

/** Milliseconds since the epoch; which of two luxon takes depends on the season one asks in. */
function firstOf(time: DateTime): number {
  return Math.min(...time.getPossibleOffsets().map((possible) => possible.toMillis()));
}
