import { expect, it } from 'vitest';
import { median, percentile } from '../../../../tools/support/statistics.ts';

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
