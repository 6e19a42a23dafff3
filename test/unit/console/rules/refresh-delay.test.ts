import { expect, it } from 'vitest';
import { refreshDelay } from '../../../../console/rules/refresh-delay.ts';

const minute = 60_000;

it('repeats at the usual interval while a request succeeds, also after an outage', () => {
  const attempts = { status: 'success', dataUpdatedAt: 9 * minute, errorUpdatedAt: minute } as const;
  expect(refreshDelay(10_000, { ...attempts, errorUpdateCount: 7 })).toBe(10_000);
});

it('waits twice as long after each failure, up to a minute, and never less than usual', () => {
  const waits = (usualMs: number) => {
    const shown: number[] = [];
    let now = minute + usualMs;
    for (let errorUpdateCount = 1; errorUpdateCount <= 6; errorUpdateCount += 1) {
      const attempts = { dataUpdatedAt: minute, errorUpdatedAt: now, errorUpdateCount };
      shown.push(refreshDelay(usualMs, { status: 'error', ...attempts }) / 1000);
      now += (shown.at(-1) ?? 0) * 1000;
    }
    return shown;
  };
  expect(waits(5000)).toEqual([5, 10, 20, 40, 60, 60]);
  expect(waits(minute)).toEqual([60, 60, 60, 60, 60, 60]);
});

it('begins with five seconds where there was no answer yet', () => {
  const never = { status: 'error', dataUpdatedAt: 0, errorUpdatedAt: minute } as const;
  const waits = [1, 2, 3, 9].map((errorUpdateCount) => refreshDelay(30_000, { ...never, errorUpdateCount }));
  expect(waits).toEqual([5000, 10_000, 20_000, minute]);
});
