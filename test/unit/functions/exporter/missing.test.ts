import { expect, it } from 'vitest';
import { type KnownExport, missingDays } from '../../../../functions/exporter/export-days.ts';

const days = ['2026-03-01', '2026-03-02', '2026-03-03'].map((date) => ({ date, from: 0, to: 1 }));

function known(status: KnownExport['status'], date: string): KnownExport {
  return { status, prefix: `history/day=${date}` };
}

const missing = (...exports: KnownExport[]) =>
  missingDays(days, exports).map(({ day, failed }) => [day.date, failed]);

it('missingDays finds the days without an export', () => {
  expect(missing()).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 0],
    ['2026-03-03', 0],
  ]);
  expect(missing(known('completed', '2026-03-01'), known('under way', '2026-03-03'))).toEqual([
    ['2026-03-02', 0],
  ]);
});

it('missingDays counts failures, and resets the count after a successful export', () => {
  const failures = [
    known('failed', '2026-03-01'),
    known('failed', '2026-03-01'),
    known('failed', '2026-03-02'),
  ];
  expect(missing(...failures, known('under way', '2026-03-02'), known('completed', '2026-03-03'))).toEqual([
    ['2026-03-01', 2],
  ]);
});

it('missingDays ignores exports to another folder', () => {
  const full = { status: 'completed', prefix: 'full' } as const;
  expect(missing(full)).toHaveLength(3);
});
