import { describe, expect, it } from 'vitest';
import { batchesAt } from '../../../../../tools/bench/cost/usage.ts';
import { onLambda, type Windows } from '../../../../../tools/bench/latency/mappings.ts';
import type { ServiceTimes } from '../../../../../tools/bench/latency/service-times.ts';
import { simulate } from '../../../../../tools/bench/latency/simulate.ts';
import { scenario } from '../cost/figures.ts';

const none = { perInvocation: 0, perEvent: 0, perRound: 0, callsAtOnce: 1, eventsPerCall: 1 };
const instant: ServiceTimes = {
  ...{ accept: () => 0, receive: () => 0, streamDelay: () => 0 },
  ...{ worker: none, publisher: none },
};
const windows = (batchSize: number, queueSeconds: number, streamSeconds: number): Windows => {
  return { batchSize, queueSeconds, streamSeconds };
};
const onLambdaAtOnce = (perSecond: number, set: Windows) =>
  simulate({ ...onLambda(perSecond, set), times: instant });

describe('the simulation, with services that take no time', () => {
  it('stores at once without a window, and publishes with the next poll of the stream', () => {
    const { stored, published } = onLambdaAtOnce(10, windows(10, 0, 0));
    expect(stored.p99).toBe(0);
    // Evenly from 0 to 250 ms.
    expect(published.mean).toBeGreaterThan(120);
    expect(published.mean).toBeLessThan(130);
    expect(published.p95).toBeGreaterThan(230);
    expect(published.p99).toBeLessThanOrEqual(250);
  });

  it.each([1, 10, 50])('waits for the whole window or a part of it, at %i a second', (perSecond) => {
    const { stored, batches } = onLambdaAtOnce(perSecond, windows(10_000, 1, 0));
    // The first of a batch waits for the window, and each other for half of it on average.
    const each = perSecond / 5;
    expect(batches.worker / (1 + each)).toBeCloseTo(1, 1);
    expect(stored.mean / (1000 * ((1 + each / 2) / (1 + each)))).toBeCloseTo(1, 1);
    expect(stored.p99).toBeCloseTo(1000);
  });

  it.each([5, 20, 100])(
    'has so many events on their way as rate and latency make, at %i a second',
    (perSecond) => {
      // Little's law, where a batch always becomes full: half of a batch waits in each poller.
      const set = windows(5, 100 / perSecond, 0);
      const { stored } = simulate({ ...onLambda(perSecond, set), times: instant, events: 20_000 });
      expect((perSecond * stored.mean) / 1000 / ((5 * (5 - 1)) / 2)).toBeCloseTo(1, 1);
    },
  );

  it.each([10, 50, 400])('has the batches of the cost model, at %i a second', (perSecond) => {
    for (const [set, worker, publisher] of [
      [windows(100, 1, 0), 1, 0],
      [windows(10, 0, 0), 0, 0],
    ] as const) {
      const estimated = batchesAt(perSecond, {
        ...scenario,
        worker: { ...scenario.worker, batchSize: set.batchSize, windowSeconds: worker },
        publisher: { ...scenario.publisher, windowSeconds: publisher },
      });
      const { batches } = onLambdaAtOnce(perSecond, set);
      expect(batches.worker / estimated.worker).toBeGreaterThan(0.8);
      expect(batches.worker / estimated.worker).toBeLessThan(1.2);
    }
    const polled = onLambdaAtOnce(perSecond, windows(10, 0, 0)).batches.publisher;
    const { publisher } = batchesAt(perSecond, {
      ...scenario,
      publisher: { ...scenario.publisher, windowSeconds: 0 },
    });
    expect(polled / publisher).toBeCloseTo(1, 1);
  });
});

describe('the simulation of AWS', () => {
  const p95 = (perSecond: number, set: Windows) => simulate(onLambda(perSecond, set)).published.p95;

  it.each([1, 10, 50, 100])('publishes sooner with a shorter window, at %i a second', (perSecond) => {
    const queue = [5, 1, 0].map((seconds) => p95(perSecond, windows(10, seconds, 0)));
    expect(queue).toEqual(queue.toSorted((one, other) => other - one));
    const stream = [5, 1, 0].map((seconds) => p95(perSecond, windows(10, 1, seconds)));
    expect(stream).toEqual(stream.toSorted((one, other) => other - one));
  });

  it('agrees with what others measured of queue and stream without a window', () => {
    const { stored, published } = simulate(onLambda(1, windows(10, 0, 0)));
    // Bite-Sized Serverless: half within 16 and 213 ms, and the rest of the way is 20 to 60 ms.
    expect(stored.p50).toBeGreaterThan(16);
    expect(stored.p50).toBeLessThan(80);
    expect(published.p50 - stored.p50).toBeGreaterThan(190);
    expect(published.p50 - stored.p50).toBeLessThan(290);
  });

  it('keeps up with 1,000 events a second with any of the windows', () => {
    for (const set of [windows(10, 0, 0), windows(6, 1, 0), windows(100, 1, 1)])
      expect(p95(1000, set)).toBeLessThan(1500);
  });

  it('is the same again for the same seed', () => {
    expect(simulate(onLambda(10, windows(6, 1, 0)))).toEqual(simulate(onLambda(10, windows(6, 1, 0))));
  });
});
