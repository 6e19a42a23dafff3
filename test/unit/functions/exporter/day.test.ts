import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportableDays, prefixOf } from '../../../../functions/exporter/export-days.ts';
import { assertProperty } from '../../../support/property.ts';

const time = (iso: string) => Date.parse(iso);
const longAgo = time('2025-12-01T00:00:00Z');
const hourMs = 3_600_000;
const spanOf = ({ from, to }: { from: number; to: number }) => [
  new Date(from).toISOString(),
  new Date(to).toISOString(),
];

describe('the days to export', () => {
  it('are the last seven that are over, oldest first, each from midnight to midnight', () => {
    const days = exportableDays({ earliest: longAgo, latest: time('2026-03-02T00:00:01Z') });
    expect(days.map(({ date }) => date)).toEqual([
      '2026-02-23',
      '2026-02-24',
      '2026-02-25',
      '2026-02-26',
      '2026-02-27',
      '2026-02-28',
      '2026-03-01',
    ]);
    const [first] = days;
    expect(first && spanOf(first)).toEqual(['2026-02-23T00:00:00.000Z', '2026-02-24T00:00:00.000Z']);
  });

  it('have ended at the latest when the backup ends', () => {
    const dates = (latest: string) =>
      exportableDays({ earliest: longAgo, latest: time(latest) }).map(({ date }) => date);
    expect(dates('2026-03-01T23:59:59.999Z').at(-1)).toBe('2026-02-28');
    expect(dates('2026-03-02T00:00:00.000Z').at(-1)).toBe('2026-03-01');
  });

  it('begin where the backup begins, at a whole minute', () => {
    const days = exportableDays({
      earliest: time('2026-03-01T09:30:12.345Z'),
      latest: time('2026-03-03T00:10:00Z'),
    });
    expect(days.map(spanOf)).toEqual([
      ['2026-03-01T09:31:00.000Z', '2026-03-02T00:00:00.000Z'],
      ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
    ]);
  });

  it('leave out the rest of a day that is shorter than the minimum of DynamoDB', () => {
    const latest = time('2026-03-02T12:00:00Z');
    const count = (earliest: string) => exportableDays({ earliest: time(earliest), latest }).length;
    expect(count('2026-03-01T23:45:00Z')).toBe(1);
    expect(count('2026-03-01T23:45:01Z')).toBe(0);
    expect(count('2026-03-02T08:00:00Z')).toBe(0);
  });

  it('are always valid for DynamoDB', () => {
    const window = fc.record({
      earliest: fc.integer({ min: longAgo, max: longAgo + 40 * 24 * hourMs }),
      // Shorter windows have no day that is over.
      length: fc.integer({ min: hourMs / 4, max: 35 * 24 * hourMs }),
    });
    assertProperty(
      fc.property(window, ({ earliest, length }) => {
        const latest = earliest + length;
        const days = exportableDays({ earliest, latest });
        fc.pre(days.length > 0);
        for (const { from, to, date } of days) {
          expect(from).toBeGreaterThanOrEqual(earliest);
          expect(to).toBeLessThanOrEqual(latest);
          expect(to - from).toBeGreaterThanOrEqual(hourMs / 4);
          expect(to - from).toBeLessThanOrEqual(24 * hourMs);
          expect(new Date(from).toISOString().slice(0, 10)).toBe(date);
        }
      }),
    );
  });
});

it('the folder of a day is named as a partition', () => {
  expect(prefixOf({ date: '2026-03-01', from: 0, to: 1 })).toBe('history/day=2026-03-01');
});
