import { describe, expect, it } from 'vitest';
import { formatAgo, formatTime } from '../../../../cli/text/format.ts';

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

describe('formatAgo', () => {
  const noon = '2026-01-15T12:00:00.000Z';

  it.each([
    [0, '0 ms ago (2026-01-15 12:00:00 +00:00)'],
    [185_000, '3 min 5 s ago (2026-01-15 12:00:00 +00:00)'],
    // Another machine's clock.
    [-2_000, '0 ms ago (2026-01-15 12:00:00 +00:00)'],
  ])('formats a time %i ms ago as %s', (laterMs, shown) => {
    expect(formatAgo(noon, Date.parse(noon) + laterMs, 'UTC')).toBe(shown);
  });
});
