import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Load,
  playBurst,
  type Run,
  type Second,
  type Worker,
} from '../../../../../tools/bench/burst/burst-model.ts';
import { assertProperty } from '../../../../support/property.ts';

const day = 24 * 3600;
const worker: Worker = {
  batchSize: 100,
  windowSeconds: 1,
  batchMs: 250,
  maximumConcurrency: 50,
  visibilitySeconds: 121,
  maxReceiveCount: 20,
  tablePerSecond: Number.POSITIVE_INFINITY,
};
const load: Load = { messages: 1_000_000, overSeconds: 60, steadyPerSecond: 0 };

const loads = fc.record({
  messages: fc.integer({ min: 1, max: 300_000 }),
  overSeconds: fc.integer({ min: 1, max: 120 }),
  steadyPerSecond: fc.integer({ min: 0, max: 20 }),
});
const workers = fc.record({
  batchSize: fc.integer({ min: 1, max: 1000 }),
  windowSeconds: fc.integer({ min: 0, max: 5 }),
  batchMs: fc.integer({ min: 10, max: 5000 }),
  maximumConcurrency: fc.integer({ min: 2, max: 1000 }),
  visibilitySeconds: fc.integer({ min: 60, max: 300 }),
  maxReceiveCount: fc.integer({ min: 13, max: 20 }),
  tablePerSecond: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.integer({ min: 0, max: 20_000 })),
});

const total = ({ seconds }: Run, amountIn: (second: Second) => number) =>
  seconds.reduce((sum, second) => sum + amountIn(second), 0);
const at = ({ seconds }: Run, second: number) => {
  const found = seconds[second];
  if (found === undefined) throw new Error(`no second ${second}`);
  return found;
};

describe('a burst', () => {
  it('loses no event: each is stored, dead-lettered, or still queued', () => {
    assertProperty(
      fc.property(loads, workers, fc.integer({ min: 1, max: 2000 }), (someLoad, someWorker, seconds) => {
        const run = playBurst(someLoad, someWorker, seconds);
        const arrived = total(run, (second) => second.arrived);
        const gone = total(run, ({ stored, deadLetters }) => stored + deadLetters);
        const left = run.seconds.at(-1)?.backlog ?? Number.NaN;
        expect(Math.abs(arrived - gone - left)).toBeLessThan(1e-3);
      }),
    );
  });

  it('is never processed faster than the limits of the worker and the table', () => {
    assertProperty(
      fc.property(loads, workers, (someLoad, someWorker) => {
        const { seconds } = playBurst(someLoad, someWorker, 2000);
        const wrong = seconds.filter(
          ({ second, concurrency, received, capacity, stored, inFlight }) =>
            inFlight > 120_000 + 1e-3 ||
            concurrency > someWorker.maximumConcurrency ||
            concurrency > (seconds[second - 1]?.concurrency ?? 0) + 5 ||
            received > capacity + 1e-6 ||
            stored > someWorker.tablePerSecond + 1e-6,
        );
        expect(wrong).toEqual([]);
      }),
    );
  });

  it('is over no later with more concurrency, but for one window that more of it may wait for', () => {
    const healthy = workers.map((someWorker) => ({
      ...someWorker,
      batchSize: 20 + someWorker.batchSize,
      tablePerSecond: Number.POSITIVE_INFINITY,
    }));
    assertProperty(
      fc.property(loads, healthy, fc.integer({ min: 1, max: 100 }), (someLoad, someWorker, more) => {
        const alone = { ...someLoad, steadyPerSecond: 0 };
        const doneWith = (maximumConcurrency: number) =>
          playBurst(alone, { ...someWorker, maximumConcurrency }, day).drainedAfterSeconds ?? day;
        expect(doneWith(someWorker.maximumConcurrency + more)).toBeLessThanOrEqual(
          doneWith(someWorker.maximumConcurrency) + someWorker.windowSeconds,
        );
      }),
      { numRuns: 50 },
    );
    const times = [5, 10, 20, 40].map(
      (maximumConcurrency) => playBurst(load, { ...worker, maximumConcurrency }, day).drainedAfterSeconds,
    );
    expect(times).toEqual([500, 251, 127, 66]);
  });

  it('at a constant rate above the worker grows by the difference, and is worked off at the full rate', () => {
    assertProperty(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 60, max: 600 }),
        fc.integer({ min: 2, max: 20 }),
        (maximumConcurrency, overSeconds, times) => {
          const capacity = maximumConcurrency * 400;
          const messages = times * capacity * overSeconds;
          const run = playBurst(
            { messages, overSeconds, steadyPerSecond: 0 },
            { ...worker, maximumConcurrency },
            day,
          );
          expect(at(run, overSeconds - 1).backlog).toBeCloseTo((times - 1) * capacity * overSeconds, 3);
          expect(run.drainedAfterSeconds).toBe(times * overSeconds);
          // The last message came at the end of the burst.
          expect(at(run, times * overSeconds - 2).oldestSeconds).toBe((times - 1) * overSeconds);
        },
      ),
    );
  });

  it('at a constant rate below the worker leaves nothing but what waits for its window', () => {
    const windowSeconds = 3;
    const steady = { messages: 1000 * 600, overSeconds: 600, steadyPerSecond: 0 };
    const run = playBurst(steady, { ...worker, windowSeconds }, day);
    const last = run.seconds.slice(60, 600);
    expect(Math.max(...last.map(({ backlog }) => backlog))).toBeCloseTo(windowSeconds * 1000, 3);
    expect(Math.max(...last.map(({ oldestSeconds }) => oldestSeconds))).toBe(windowSeconds);
    expect(run.drainedAfterSeconds).toBe(600 + windowSeconds);
  });

  it('is met with five invocations, then five more each second', () => {
    const run = playBurst(load, { ...worker, maximumConcurrency: 18 }, day);
    expect(run.seconds.slice(0, 5).map(({ concurrency }) => concurrency)).toEqual([5, 10, 15, 18, 18]);
    const arrivedInFour = (4 * load.messages) / 60;
    expect(at(run, 3).backlog).toBeCloseTo(arrivedInFour - (5 + 10 + 15 + 18) * 400, 3);
  });

  it('does not end while the rate stays above the capacity', () => {
    const run = playBurst({ ...load, steadyPerSecond: 30_000 }, worker, 3600);
    expect(run.drainedAfterSeconds).toBeUndefined();
    expect(at(run, 3599).backlog - at(run, 3598).backlog).toBeCloseTo(10_000, 3);
  });
});

describe('an event that the table throttles', () => {
  it('is redelivered after its visibility timeout, and is stored then', () => {
    const few = { messages: 2000, overSeconds: 1, steadyPerSecond: 0 };
    const run = playBurst(few, { ...worker, windowSeconds: 0, tablePerSecond: 1000 }, day);
    expect(at(run, 0)).toMatchObject({ received: 2000, stored: 1000, failed: 1000, backlog: 1000 });
    expect(at(run, 120).received).toBe(0);
    expect(at(run, 121)).toMatchObject({ received: 1000, stored: 1000, failed: 0, backlog: 0 });
    expect(run.drainedAfterSeconds).toBe(122);
  });

  it('fills what a queue lets be in flight; the rest is received no faster than the table takes it', () => {
    const run = playBurst(load, { ...worker, tablePerSecond: 1000 }, day);
    // Four batches a second turn over on each place: 250 places are as many as the table takes.
    const full = run.seconds.findIndex(({ inFlight }) => inFlight > 120_000 - 251);
    expect(full).toBeGreaterThan(0);
    expect(full).toBeLessThan(20);
    const next = at(run, full + 1);
    expect([next.received, next.stored, next.failed].map(Math.round)).toEqual([1000, 1000, 0]);
    expect(total(run, ({ stored, deadLetters }) => stored + deadLetters)).toBeCloseTo(load.messages, 0);
  });

  it('is dead-lettered after its last receive, and leaves the age of the oldest after its third', () => {
    const one = { messages: 10, overSeconds: 1, steadyPerSecond: 0 };
    const run = playBurst(one, { ...worker, windowSeconds: 0, tablePerSecond: 0 }, day);
    expect(at(run, 241).oldestSeconds).toBe(242);
    expect(at(run, 242).oldestSeconds).toBe(0);
    expect(at(run, 242)).toMatchObject({ backlog: 10, failingSeconds: 242 });
    expect(total(run, ({ failed }) => failed)).toBe(200);
    expect(at(run, 19 * 121).deadLetters).toBe(10);
    expect(run.drainedAfterSeconds).toBe(19 * 121 + 1);
  });
});
