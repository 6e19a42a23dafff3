import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decimalOf, millionthsOf } from '../../../../../functions/insights/counters/spend.ts';
import { assertProperty } from '../../../../support/property.ts';

it.each([
  ['0', 0],
  ['0.0079', 7900],
  ['12', 12_000_000],
  ['0.0000005', 1],
  ['0.00000049999', 0],
  ['0.9999995', 1_000_000],
  ['999999999.9999999', 1_000_000_000_000_000],
])('a price of %s is %d millionths', (price, millionths) => {
  expect(millionthsOf(price)).toBe(millionths);
});

it('millionths are written as the amount that they were', () => {
  expect([0, 1, 7900, 1_500_000, 12_000_000].map(decimalOf)).toEqual([
    '0',
    '0.000001',
    '0.0079',
    '1.5',
    '12',
  ]);
  assertProperty(
    fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (millionths) => {
      const amount = decimalOf(millionths);
      expect(millionthsOf(amount)).toBe(millionths);
    }),
  );
});
