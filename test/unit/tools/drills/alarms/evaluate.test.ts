import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highestDatapoint } from '../../../../../tools/drills/alarms/alarms.ts';
import { assertProperty } from '../../../../support/property.ts';

const at = (seconds: number, value: number) => ({ at: seconds * 1000, value });

describe('the highest data point', () => {
  it('is none where there is no data', () => {
    expect(highestDatapoint([], 'Sum', 60)).toBeUndefined();
  });

  it('sums within a period, and never over its border', () => {
    expect(highestDatapoint([at(59, 6), at(60, 6), at(119, 3)], 'Sum', 60)).toBe(9);
  });

  it('takes the largest value of a maximum, not their sum', () => {
    expect(highestDatapoint([at(1, 4), at(2, 5)], 'Maximum', 60)).toBe(5);
  });

  it('is there with the value 0 where nothing was counted', () => {
    expect(highestDatapoint([at(1, 0)], 'Sum', 60)).toBe(0);
  });

  it('is never less than half of what came within one period, wherever its border is', () => {
    const begin = fc.integer({ min: 0, max: 1_000_000 });
    const offsets = fc.array(fc.integer({ min: 0, max: 299 }), { minLength: 1, maxLength: 50 });
    assertProperty(
      fc.property(begin, offsets, (from, seconds) => {
        const samples = seconds.map((offset) => at(from + offset, 1));
        expect(highestDatapoint(samples, 'Sum', 300)).toBeGreaterThanOrEqual(samples.length / 2);
      }),
    );
  });
});
