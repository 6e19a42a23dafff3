import { expect, it } from 'vitest';
import { amountOf, secondsOf } from '../../../bench/burst/burst-options.ts';

it.each([
  ['100', 100],
  ['50k', 50_000],
  ['2.5M', 2_500_000],
  ['1B', 1e9],
])('reads the amount %s', (text, amount) => {
  expect(amountOf(text, 'burst')).toBe(amount);
});

it.each([
  ['250ms', 0.25],
  ['60s', 60],
  ['1.5m', 90],
  ['2h', 7200],
])('reads the time %s', (text, seconds) => {
  expect(secondsOf(text, 'over')).toBe(seconds);
});

it.each(['', '-1', '1G', 'many', '1e6', ' 1', '1.M'])('refuses %j', (text) => {
  expect(() => amountOf(text, 'burst')).toThrow('--burst: expected an amount');
  expect(() => secondsOf(text, 'over')).toThrow('--over: expected a time');
});
