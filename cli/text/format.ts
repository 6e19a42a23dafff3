import { shellWord } from '../../contract/text/shell-word.ts';
import { formatDuration } from '../../functions/base/basics.ts';
import { sanitize } from './sanitize.ts';

/**
 * Formats a time in the reader's zone: `2026-01-15 09:00:05 -03:00`.
 *
 * @param iso ISO 8601
 * @param zone IANA name, for example "America/Sao_Paulo"
 */
export function formatTime(iso: string, zone: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'longOffset',
  });
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  return `${date} ${part('hour')}:${part('minute')}:${part('second')} ${offset}`;
}

/**
 * Formats how long ago a time was: `3 min 5 s ago (2026-01-15 09:00:05 -03:00)`.
 *
 * @param iso ISO 8601; a time after `now`, from another clock, counts as now
 * @param now milliseconds since the epoch
 */
export function formatAgo(iso: string, now: number, zone: string): string {
  return `${formatDuration(Math.max(0, now - Date.parse(iso)))} ago (${formatTime(iso, zone)})`;
}

/** Quotes a word for a shell where it needs that. */
export function shellQuoted(word: string): string {
  return shellWord(sanitize(word));
}

/** Parses JSON; returns undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
