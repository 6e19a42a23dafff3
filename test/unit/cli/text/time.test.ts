import { describe, expect, it } from 'vitest';
import { formatDuration, formatTime } from '../../../../cli/text/time.ts';

describe('formatTime', () => {
  it.each([
    ['2026-01-15T12:00:05.999Z', 'UTC', '2026-01-15 12:00:05 +00:00'],
    ['2026-01-15T02:00:05.000Z', 'America/Sao_Paulo', '2026-01-14 23:00:05 -03:00'],
    ['2026-01-15T18:30:00.000Z', 'Asia/Kolkata', '2026-01-16 00:00:00 +05:30'],
    ['2026-07-01T12:00:00.000Z', 'Europe/Berlin', '2026-07-01 14:00:00 +02:00'],
    ['no time', 'UTC', 'no time'],
  ])('%s in %s is %s', (iso, zone, shown) => {
    expect(formatTime(iso, zone)).toBe(shown);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [-999, '999 ms'],
    [1000, '1.0 s'],
    [9_999, '9.9 s'],
    [10_000, '10 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [86_399_999, '23 h 59 min'],
    [187_200_000, '2 d 4 h'],
  ])('%i ms is %s', (milliseconds, shown) => {
    expect(formatDuration(milliseconds)).toBe(shown);
  });
});
