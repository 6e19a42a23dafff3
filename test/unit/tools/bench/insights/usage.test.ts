import { describe, expect, it } from 'vitest';
import { insightsPerEvent } from '../../../../../tools/bench/insights/usage.ts';

const batching = { batchSize: 1000, windowSeconds: 15, parallelism: 1 };

describe('the counters of an event', () => {
  it('take nothing where insights are off', () => {
    expect(insightsPerEvent(undefined, 50)).toMatchObject({ writeUnits: 0, invocations: 0 });
  });

  it('take less the more events share a transaction', () => {
    const [slow, fast] = [insightsPerEvent(batching, 1), insightsPerEvent(batching, 50)];
    expect(fast.writeUnits).toBeLessThan(slow.writeUnits / 10);
    expect(fast.invocations).toBeLessThan(slow.invocations / 10);
  });

  it('take whole transactions: at least twice the position, a quarter hour and a day for each invocation', () => {
    const { writeUnits, invocations } = insightsPerEvent(batching, 1, 'single');
    expect(writeUnits / invocations).toBeGreaterThanOrEqual(6);
    expect(writeUnits / invocations).toBeLessThan(2 * 4 * 3);
  });

  it('take less in no send, which is an item less', () => {
    expect(insightsPerEvent(batching, 1, 'single').writeUnits).toBeLessThan(
      insightsPerEvent(batching, 1).writeUnits,
    );
  });
});
