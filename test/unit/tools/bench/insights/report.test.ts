import { expect, it } from 'vitest';
import {
  insightsFixed,
  insightsPerMillion,
  insightsTargets,
} from '../../../../../tools/bench/insights/report.ts';
import { insightsPerEvent } from '../../../../../tools/bench/insights/usage.ts';

const batching = { batchSize: 1000, windowSeconds: 15, parallelism: 1 };

it('insights cost at most 0.25 dollars a million events in sends of 1,000 within a minute', () => {
  const dollars = insightsPerMillion(insightsPerEvent(batching, 50, 'sendsApart'));
  expect(dollars).toBeGreaterThan(0.05);
  expect(dollars).toBeLessThanOrEqual(insightsTargets.perMillion);
});

it('insights cost at most 2 dollars a million events that are spread over a month', () => {
  expect(insightsPerMillion(insightsPerEvent(batching, 0.38, 'single'))).toBeLessThanOrEqual(2);
});

it('insights with the delivery watch cost at most a dollar a month without any event', () => {
  const { counters, withWatch } = insightsFixed();
  expect(withWatch).toBeGreaterThan(counters);
  expect(withWatch).toBeLessThanOrEqual(insightsTargets.fixed);
});
