import { describe, expect, it } from 'vitest';
import { limits } from '../../../../../lib/props/limits.ts';
import {
  type BurstPlan,
  burstPlans,
  simulateBurst,
  withSlowWorker,
} from '../../../../../tools/bench/latency/burst.ts';

const [byDefault, raised] = burstPlans(20_000);
const none = { perInvocation: 0, perEvent: 0, perRound: 0, callsAtOnce: 1, eventsPerCall: 1 };
/** One poller, and one report in a batch, which takes 10 ms: 100 a second are stored. */
const oneByOne: BurstPlan = {
  ...byDefault,
  ...{ events: 1000, perSecond: 200, writesPerSecond: 1_000_000 },
  times: {
    ...byDefault.times,
    ...{ accept: () => 0, receive: () => 0, worker: { ...none, perInvocation: 10 } },
  },
  queue: { ...byDefault.queue, batchSize: 1, windowMs: 0, pollers: 1, maxPollers: 1 },
};

describe('a burst', () => {
  it('is accepted at the default rate of the API, or at 10,000 a second', () => {
    expect(byDefault.perSecond).toBe(limits.ratePerSecond.preset);
    expect(simulateBurst(byDefault).allAcceptedAt).toBeCloseTo(20, 0);
    expect(simulateBurst(raised).allAcceptedAt).toBeCloseTo(2, 0);
  });

  it.each([byDefault, raised])('is stored in the end, each report after it was accepted: $name', (plan) => {
    const { slots } = simulateBurst(plan);
    expect(slots.at(-1)).toMatchObject({ accepted: 20_000, stored: 20_000 });
    for (const { accepted, stored, behind } of slots) {
      expect(stored).toBeLessThanOrEqual(accepted);
      if (behind !== undefined) expect(behind.half).toBeLessThanOrEqual(behind.slowest);
    }
  });

  it('waits in the queue for as long as the workers store less than is accepted', () => {
    const { allStoredAt, maxBacklog, maxBehindSeconds } = simulateBurst(oneByOne);
    expect(allStoredAt).toBeCloseTo(10, 0);
    expect(maxBacklog / 500).toBeCloseTo(1, 1);
    expect(maxBehindSeconds / 5).toBeCloseTo(1, 1);
  });

  it('waits for the table where it takes fewer writes than the workers make', () => {
    const { allStoredAt } = simulateBurst({ ...oneByOne, writesPerSecond: 50 });
    expect(allStoredAt).toBeCloseTo(20, 0);
  });

  it('takes twice the time with workers half as fast', () => {
    expect(simulateBurst(withSlowWorker(oneByOne)).allStoredAt).toBeCloseTo(20, 0);
  });

  it('is the same again', () => {
    expect(simulateBurst(raised)).toEqual(simulateBurst(raised));
  });
});
