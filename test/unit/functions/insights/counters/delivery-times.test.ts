import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  maxRelativeError,
  quantile,
  timeOf,
  zeroBucket,
} from '../../../../../functions/insights/counters/delivery-times.ts';
import { assertProperty } from '../../../../support/property.ts';

const month = 30 * 86_400_000;

/** The time at a rank, by sorting. */
function exactQuantile(times: readonly number[], q: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? 0;
}

describe('a histogram of delivery times', () => {
  it('has quantiles that differ by at most 2 % from those of the times', () => {
    assertProperty(
      fc.property(
        fc.array(fc.integer({ min: 0, max: month }), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.95, 0.99),
        (times, q) => {
          const histogram = new Map<number, number>();
          for (const time of times) histogram.set(bucketOf(time), (histogram.get(bucketOf(time)) ?? 0) + 1);
          const exact = exactQuantile(times, q);
          const found = quantile(histogram, q) ?? Number.NaN;
          expect(Math.abs(found - exact)).toBeLessThanOrEqual(maxRelativeError * exact + 1e-6);
        },
      ),
    );
  });

  it('keeps times of zero apart', () => {
    expect(bucketOf(0)).toBe(zeroBucket);
    expect(timeOf(zeroBucket)).toBe(0);
    expect(bucketOf(1)).toBe(0);
  });

  it('has no quantile without times', () => {
    expect(quantile(new Map(), 0.5)).toBeUndefined();
    expect(quantile(new Map([[3, 0]]), 0.5)).toBeUndefined();
  });
});
