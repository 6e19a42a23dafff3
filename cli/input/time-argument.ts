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

/** The range of ISO 8601 with years of four digits. */
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

export interface TimeReading {
  /** The option that messages name: `--since`. */
  readonly option: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA name of the reader's time zone. */
  readonly zone: string;
}

/**
 * Reads a time as people write it: ISO 8601 (local without a zone; a date alone means its first moment), today, yesterday, now,
 * or how long ago. A local time that occurs twice, because clocks are set back, means the first; one that does not occur,
 * because they are set forward, is moved forward.
 *
 * @returns ISO 8601 in UTC with milliseconds
 * @throws UsageError for any other text and for a date that does not exist
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
  if (date === '') throw refuse('is not a valid time');
  return time === undefined ? startOf(date) : at(`${date}T${time}`, offset.toUpperCase());

  function startOf(day: string): string {
    return at(`${day}T00:00`);
  }

  function at(iso: string, offset = ''): string {
    const parsed = DateTime.fromISO(`${iso}${offset}`, { zone });
    if (!parsed.isValid) throw refuse('does not exist');
    return inRange(offset === '' ? firstOf(parsed) : parsed.toMillis());
  }

  function inRange(ms: number): string {
    if (ms < earliestMs || ms > latestMs) throw refuse('is out of range');
    return new Date(ms).toISOString();
  }
}

/** Returns milliseconds since the epoch. Of two possible times luxon's choice depends on the current season. */
function firstOf(time: DateTime): number {
  return Math.min(...time.getPossibleOffsets().map((possible) => possible.toMillis()));
}
