import { expect, test } from 'vitest';
import {
  deliveryRate,
  failureRate,
  hasFallen,
  isFailureRateHigh,
  isOutcome,
  moneyText,
  percentText,
  waitText,
  waitTickText,
} from '../../../../console/rules/rates.ts';

test('rates are of the messages with an outcome', () => {
  const counts = { messages: 1000, delivered: 90, failed: 10, pending: 900 };
  expect(deliveryRate(counts)).toBe(0.9);
  expect(failureRate(counts)).toBe(0.1);
});

test('while no message has an outcome there is no rate, and none is too high', () => {
  const counts = { delivered: 0, failed: 0 };
  expect(deliveryRate(counts)).toBeUndefined();
  expect(failureRate(counts)).toBeUndefined();
  expect(isFailureRateHigh(counts)).toBe(false);
});

test('an amount below one has its small decimals, and a larger one those of its currency', () => {
  expect(moneyText('0.0079', 'USD', 'en')).toBe('$0.0079');
  expect(moneyText('12.3456', 'USD', 'en')).toBe('$12.35');
  expect(moneyText('1234', 'JPY', 'en')).toBe('¥1,234');
  expect(moneyText('0.031', 'BRL', 'pt-BR').replace(/\s/, ' ')).toBe('R$ 0,031');
});

test('a failure rate is high from 3 % on', () => {
  expect(isFailureRateHigh({ delivered: 971, failed: 29 })).toBe(false);
  expect(isFailureRateHigh({ delivered: 970, failed: 30 })).toBe(true);
});

test('four failures are not a high rate, five are, also where no message was delivered', () => {
  expect(isFailureRateHigh({ delivered: 0, failed: 4 })).toBe(false);
  expect(isFailureRateHigh({ delivered: 0, failed: 5 })).toBe(true);
  expect(isFailureRateHigh({ delivered: 34, failed: 5 })).toBe(true);
});

test.each([
  [0, '0%'],
  [0.0001, '< 0.1%'],
  [0.0123, '1.2%'],
  [0.5, '50.0%'],
  [0.99999, '99.9%'],
  [1, '100%'],
])('the share %d reads %s', (share, text) => {
  expect(percentText(share, 'en')).toBe(text);
});

test('a share is written as the language does', () => {
  expect(percentText(0.0123, 'pt-BR')).toBe('1,2%');
});

test.each([
  [0, '0 s'],
  [440, '0.4 s'],
  [4100, '4.1 s'],
  [9949, '9.9 s'],
  [9960, '10 s'],
  [59_400, '59 s'],
  [59_700, '1 min'],
  [125_000, '2 min 5 s'],
  [3_599_999, '1 h'],
  [3_780_000, '1 h 3 min'],
  [90_000_000, '1 d 1 h'],
])('a wait of %d ms reads %s', (ms, text) => {
  expect(waitText(ms, 'en')).toBe(text);
});

test('only the three outcomes are outcomes', () => {
  expect(['delivered', 'failed', 'pending', 'read', 7].map(isOutcome)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  [120_000, 30_000, '120 s'],
  [4_800_000, 1_200_000, '80 min'],
  [0, 1_200_000, '0 min'],
  [129_600_000, 43_200_000, '36 h'],
])('a tick of %i ms on an axis in steps of %i ms is "%s"', (ms, stepMs, text) => {
  expect(waitTickText(ms, stepMs, 'en')).toBe(text);
});

test.each<[string, [number, number], [number, number] | undefined, boolean]>([
  ['nothing to compare with', [88, 12], undefined, false],
  ['no outcome before', [88, 12], [0, 0], false],
  ['a clear fall', [880, 120], [980, 20], true],
  ['a fall that chance explains, of few messages', [53, 3], [1000, 10], false],
  ['a certain fall of less than a point', [985_000, 15_000], [990_000, 10_000], false],
  ['fewer than five failures more', [12, 4], [1000, 0], false],
  ['more failures of still more messages', [9900, 100], [980, 20], false],
])(
  'a delivery rate has fallen if chance does not explain it, and it matters: %s',
  (_, now, before, expected) => {
    const counts = ([delivered, failed]: [number, number]) => ({ delivered, failed });
    expect(hasFallen(counts(now), before && counts(before))).toBe(expected);
  },
);
