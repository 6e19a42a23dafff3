import { describe, expect, it } from 'vitest';
import { insightsPerEvent } from '../../../../../tools/bench/cost/insights-usage.ts';
import { costOf } from '../../../../../tools/bench/cost/prices.ts';

const batching = { batchSize: 1000, windowSeconds: 10, parallelism: 1 };

describe('the counters of insights', () => {
  it('cost at most 0.25 dollars a million events in sends of 1,000 within a minute', () => {
    const { writeUnits, readUnits, invocations, gbSeconds } = insightsPerEvent(batching, 50);
    const dollars =
      costOf('dynamoDbWriteUnits', writeUnits) +
      costOf('dynamoDbReadUnits', readUnits) +
      costOf('lambdaRequests', invocations) +
      costOf('lambdaGbSeconds', gbSeconds);
    expect(dollars * 1e6).toBeLessThanOrEqual(0.25);
  });

  it('cost nothing where insights are off, and less the more events share a transaction', () => {
    expect(insightsPerEvent(undefined, 50).writeUnits).toBe(0);
    expect(insightsPerEvent(batching, 1000).writeUnits).toBeLessThan(
      insightsPerEvent(batching, 50).writeUnits,
    );
  });
});
