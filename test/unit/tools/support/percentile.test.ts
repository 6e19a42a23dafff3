import fc from 'fast-check';
import { expect, it } from 'vitest';
import { durationsOf } from '../../../../tools/drills/soak/figures.ts';
import { percentile } from '../../../../tools/support/statistics.ts';
import { assertProperty } from '../../../support/property.ts';

it('is the smallest value that so many per cent are not above', () => {
  const values = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 });
  assertProperty(
    fc.property(values, fc.integer({ min: 1, max: 100 }), (unsorted, percent) => {
      const sorted = unsorted.toSorted((a, b) => a - b);
      const value = percentile(sorted, percent);
      const notAbove = sorted.filter((other) => other <= value).length;
      const below = sorted.filter((other) => other < value).length;
      expect(notAbove * 100).toBeGreaterThanOrEqual(percent * sorted.length);
      expect(below * 100).toBeLessThan(percent * sorted.length);
    }),
  );
  expect(percentile([], 50)).toBeNaN();
});

it('sorts durations by number before it reads them off', () => {
  const durations = durationsOf(Array.from({ length: 1000 }, (_, n) => 1000 - n));
  expect(durations).toEqual({ count: 1000, p50: 500, p95: 950, p99: 990, max: 1000 });
});
