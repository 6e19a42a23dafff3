import { expect, it } from 'vitest';
import { amountOf, secondsOf, settingsWith } from '../../../../../tools/bench/burst/burst-options.ts';

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

it.each(['', '-1', '1G', 'many', '1e6', ' 1', '1.M'])('rejects %j', (text) => {
  expect(() => amountOf(text, 'burst')).toThrow('--burst: expected an amount');
  expect(() => secondsOf(text, 'over')).toThrow('--over: expected a time');
});

it('names options, not settings, in what is wrong with them', () => {
  const values = { workerMaximumConcurrency: '5', workerBatchSize: '100', workerBatchWindowSeconds: '1' };
  expect(settingsWith(values)).toMatchObject({ workerBatchSize: 100, workerBatchWindowSeconds: 1 });
  const message = (changes: object) => {
    try {
      return String(settingsWith({ ...values, ...changes }));
    } catch (error) {
      return String(error);
    }
  };
  expect(message({ workerMaximumConcurrency: '1' })).toMatch(
    /^OptionError: --concurrency: found "1", expected/,
  );
  expect(message({ workerBatchWindowSeconds: '0' })).toMatch(/--window: .* a --batch above 10/);
  expect(message({ workerBatchSize: '0', workerBatchWindowSeconds: '0.5' })).not.toMatch(/sms:|workerBatch/);
});
