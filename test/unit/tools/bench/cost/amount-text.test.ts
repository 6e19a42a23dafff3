import { expect, it } from 'vitest';
import { countText, difference, dollars } from '../../../../../tools/bench/cost/report.ts';

it.each([
  [0, '-'],
  [0.00123, '0.0012'],
  [0.5, '0.50'],
  [4.567, '4.57'],
  [-1.5, '-1.50'],
  [12345.6, '12346'],
])('%d dollars are %s', (amount, text) => expect(dollars(amount)).toBe(text));

it.each([
  [1, '+1.00'],
  [-0.05, '-0.0500'],
  [0.00001, '-'],
])('a difference of %d is %s', (amount, text) => expect(difference(amount)).toBe(text));

it.each([
  [0.01, '0.01'],
  [999, '999'],
  [10_000, '10 k'],
  [2_345_678, '2.346 M'],
  [1e9, '1 B'],
])('%d is %s', (count, text) => expect(countText(count)).toBe(text));
