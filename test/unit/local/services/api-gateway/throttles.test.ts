import { expect, it } from 'vitest';
import { Throttles } from '../../../../../local/services/api-gateway/throttles.ts';

const one = { ratePerSecond: 1, burst: 1 };

it('throttles accept every request until a stage sets limits', () => {
  const throttles = new Throttles();
  expect([throttles.admits('ANY /hook', 0), throttles.admits('ANY /hook', 0)]).toEqual([true, true]);
});

it('throttles have one bucket for each route, with the throttle of the route if it has one', () => {
  const throttles = new Throttles();
  throttles.replace({ everyRoute: one, routes: { 'ANY /v1/{proxy+}': { ratePerSecond: 1, burst: 2 } } });
  const admitted = (routeKey: string) => [1, 2, 3].map(() => throttles.admits(routeKey, 0));
  expect(admitted('ANY /hook')).toEqual([true, false, false]);
  expect(admitted('ANY /v1/{proxy+}')).toEqual([true, true, false]);
  expect(admitted('ANY /other')).toEqual([true, false, false]);
});

it('throttles begin with full buckets after a change', () => {
  const throttles = new Throttles();
  throttles.replace({ everyRoute: one, routes: {} });
  expect([throttles.admits('ANY /hook', 0), throttles.admits('ANY /hook', 0)]).toEqual([true, false]);
  throttles.replace({ everyRoute: one, routes: {} });
  expect(throttles.admits('ANY /hook', 0)).toBe(true);
});
