import { expect, it } from 'vitest';
import {
  baselineOf,
  minQuarters,
  scoreOf,
} from '../../../../../../functions/automations/delivery-watch/rules/baseline.ts';

const measured = (value: number, variance = 0.0001) => ({ figure: 0.9, value, variance, messages: 1000 });
const around = [0, -0.01, 0.01, -0.005, 0.005, 0, -0.01, 0.01, -0.005, 0.005, 0, 0.002];

it('a baseline needs a minimum of quarter hours', () => {
  expect(around).toHaveLength(minQuarters);
  expect(baselineOf(around.map((value) => measured(value)))).toBeDefined();
  expect(baselineOf(around.slice(1).map((value) => measured(value)))).toBeUndefined();
});

it('the median of a baseline ignores an incident of the past', () => {
  const incident = [-0.4, -0.4, -0.4];
  const baseline = baselineOf([...around, ...around, ...incident].map((value) => measured(value)));
  expect(baseline?.value).toBeCloseTo(0, 2);
});

it('a score is smaller where quarter hours differ more, and with fewer messages', () => {
  const calm = baselineOf(around.map((value) => measured(value)));
  const restless = baselineOf(around.map((value) => measured(10 * value)));
  if (calm === undefined || restless === undefined) throw new Error('no baseline');
  const scores = [
    scoreOf(measured(0.1), calm),
    scoreOf(measured(0.1), restless),
    scoreOf(measured(0.1, 0.01), calm),
  ];
  expect(scores[0]).toBeGreaterThan(8);
  expect(scores[1]).toBeLessThan(2);
  expect(scores[2]).toBeLessThan(1);
});
