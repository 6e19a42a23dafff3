import { describe, expect, it } from 'vitest';
import { median } from '../../../../tools/support/statistics.ts';

describe('the median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 1], 9],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('of no values is NaN, and the values keep their order', () => {
    expect(median([])).toBeNaN();
    const values = [2, 1];
    median(values);
    expect(values).toEqual([2, 1]);
  });
});
