import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTally } from '../../../../functions/runtime/handler-settings.ts';
import { lagMetrics, type MetricName, metricNames } from '../../../../functions/runtime/metrics.ts';
import { assertProperty } from '../../../support/property.ts';

const everyMetric = Object.keys(metricNames) as MetricName[];

it('the tally is empty after its values were read, and has no lag below zero', () => {
  const tally = createTally();
  tally.add('lagToPublished', 5);
  tally.take();
  expect(tally.take()).toEqual([]);
  tally.add('lagToPublished', -3000);
  expect(tally.take()).toEqual([['lagToPublished', 0]]);
});

it('the tally has one value for each metric, for any number of counts: fewer than the hundred that fit into one line of EMF', () => {
  expect(everyMetric.length).toBeLessThan(100);
  const counted = fc.tuple(fc.constantFrom(...everyMetric), fc.nat(100_000));
  assertProperty(
    fc.property(fc.array(counted, { maxLength: 500 }), (all) => {
      const tally = createTally();
      for (const [metric, value] of all) tally.add(metric, value);
      const taken = tally.take();
      expect(new Set(taken.map(([metric]) => metric)).size).toBe(taken.length);
      for (const [metric, value] of taken) {
        const values = all.filter(([name]) => name === metric).map(([, each]) => each);
        const sum = values.reduce((total, each) => total + each, 0);
        expect(value).toBe(lagMetrics.includes(metric) ? Math.max(...values) : sum);
      }
    }),
  );
});
