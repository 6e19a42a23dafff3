import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../local/sms-service/random.ts';
import {
  type Arrival,
  collectFromQueue,
  type QueueSource,
} from '../../../../../tools/bench/latency/queue-stage.ts';
import { assertProperty } from '../../../../support/property.ts';

const source: QueueSource = {
  ...{ batchSize: 3, windowMs: 1000, pollers: 1, maxPollers: 1, addPollerEveryMs: 200 },
  ...{ waitsForFunction: true, longPollMs: 0, receiveEveryMs: 0 },
};
const at = (...times: readonly number[]): Arrival[] => times.map((time, event) => ({ event, at: time }));

function batches(arrivals: readonly Arrival[], changes: Partial<QueueSource> = {}, durationMs = 100) {
  return collectFromQueue(arrivals, { ...source, ...changes }, () => durationMs, createRandom(1));
}

describe('a batch of a queue', () => {
  it.each<[string, Partial<QueueSource>, readonly number[], readonly (readonly [number, number])[]]>([
    [
      'waits for its window',
      {},
      [0, 500, 1500],
      [
        [1000, 2],
        [2500, 1],
      ],
    ],
    [
      'is complete once it is full',
      {},
      [0, 300, 600, 700],
      [
        [600, 3],
        [1700, 1],
      ],
    ],
    [
      'is what is there where there is no window',
      { windowMs: 0 },
      [0, 10, 20, 30, 40],
      [
        [0, 1],
        [100, 3],
        [200, 1],
      ],
    ],
    [
      'has at most ten events without a window',
      { windowMs: 0, batchSize: 100 },
      Array.from({ length: 13 }, (_, n) => n),
      [
        [0, 1],
        [100, 10],
        [200, 2],
      ],
    ],
    [
      'does not wait for the function where the poller does not',
      { windowMs: 0, waitsForFunction: false },
      [0, 10],
      [
        [0, 1],
        [10, 1],
      ],
    ],
    ['waits for a receive of 20 seconds after its window', { longPollMs: 20_000 }, [0], [[20_000, 1]]],
    ['ends with the first event after its window', { longPollMs: 20_000 }, [0, 4000], [[4000, 2]]],
    [
      'is complete at a look of its poller',
      { receiveEveryMs: 100 },
      [0, 110, 210, 220],
      [
        [300, 3],
        [1400, 1],
      ],
    ],
    [
      'has more pollers while events wait, also when no more come',
      { windowMs: 0, batchSize: 1, maxPollers: 3 },
      [0, 10, 20, 30, 40, 50, 60],
      [
        [0, 1],
        [10, 1],
        [100, 1],
        [110, 1],
        [200, 1],
        [210, 1],
        [210, 1],
      ],
    ],
    [
      'has more pollers while events wait',
      { windowMs: 0, maxPollers: 2 },
      [0, 10, 20],
      [
        [0, 1],
        [10, 1],
        [100, 1],
      ],
    ],
  ])('%s', (_, changes, times, expected) => {
    expect(batches(at(...times), changes).map(({ at: time, events }) => [time, events.length])).toEqual(
      expected,
    );
  });

  it('has each event once, after it came, and never more than the maximum', () => {
    const settings = fc.record({
      batchSize: fc.integer({ min: 1, max: 12 }),
      windowMs: fc.constantFrom(0, 1000, 5000),
      pollers: fc.integer({ min: 1, max: 5 }),
      maxPollers: fc.integer({ min: 5, max: 8 }),
      waitsForFunction: fc.boolean(),
      longPollMs: fc.constantFrom(0, 20_000),
      receiveEveryMs: fc.constantFrom(0, 100),
    });
    const gaps = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 });
    assertProperty(
      fc.property(settings, gaps, (changes, between) => {
        let now = 0;
        const arrivals = at(...between.map((gap) => (now += gap)));
        const all = batches(arrivals, changes, 700);
        expect(all.flatMap(({ events }) => events).toSorted((a, b) => a - b)).toEqual([...arrivals.keys()]);
        for (const batch of all) {
          expect(batch.events.length).toBeLessThanOrEqual(changes.batchSize);
          for (const event of batch.events) expect(batch.at).toBeGreaterThanOrEqual(arrivals[event]?.at ?? 0);
        }
      }),
    );
  });
});
