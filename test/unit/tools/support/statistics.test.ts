import fc from 'fast-check';
import { expect, it } from 'vitest';
import { median, percentile } from '../../../../tools/support/statistics.ts';
import { assertProperty } from '../../../support/property.ts';

it('a percentile is the smallest value that so many per cent are not above', () => {
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
});

it.each([
  [[3], 3],
  [[9, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9, 1], 9],
  [[], Number.NaN],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
