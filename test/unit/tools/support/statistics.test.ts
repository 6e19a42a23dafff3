import { expect, it } from 'vitest';
import {
  estimateMedian,
  estimateQuotient,
  median,
  percentile,
} from '../../../../tools/support/statistics.ts';

it.each([
  [1, [1, 2, 3], 1],
  [50, [1, 2, 3, 4], 2],
  [51, [1, 2, 3, 4], 3],
  [100, [1, 2, 3], 3],
  [50, [], Number.NaN],
])(
  'the %d percentile is the smallest value that so many per cent are not above: %j',
  (percent, sorted, value) => {
    expect(percentile(sorted, percent)).toBe(value);
  },
);

it.each([
  [[3], 3],
  [[9, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[10, 9, 1], 9],
  [[], Number.NaN],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

// The ranks are those of tables of the sign test.
it.each([
  [6, 1, 6],
  [9, 2, 8],
  [15, 4, 12],
  [20, 6, 15],
  [25, 8, 18],
])('the interval of a median of %d values is from the %dth to the %dth', (count, low, high) => {
  const values = Array.from({ length: count }, (_, index) => (index * 7) % count);
  expect(estimateMedian(values)).toEqual({ value: median(values), low: low - 1, high: high - 1 });
});

it.each([
  [[], { value: Number.NaN, low: Number.NaN, high: Number.NaN }],
  [[3], { value: 3, low: 3, high: 3 }],
  [[3, 1, 2], { value: 2, low: 1, high: 3 }],
])('the interval of few values is their range: %j', (values, estimate) => {
  expect(estimateMedian(values)).toEqual(estimate);
});

it('the factor between two lists is the median of all quotients, and one slow value changes it little', () => {
  const before = [10, 11, 12, 13, 14, 15, 16, 17];
  const after = before.map((value) => 2 * value);
  expect(estimateQuotient(after, before).value).toBe(2);
  expect(estimateQuotient([...after, 900], before).value).toBeLessThan(2.2);
  const { low, high } = estimateQuotient(after, before);
  expect([low > 1, low < 2, high > 2, high < 3]).toEqual([true, true, true, true]);
  expect(estimateQuotient([], before).value).toBeNaN();
});
