import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../../../../tools/bench/latency/queue-stage.ts';
import { collectFromStream, type StreamSource } from '../../../../../tools/bench/latency/stream-stage.ts';

const source: StreamSource = { batchSize: 3, windowMs: 0, shards: 1, parallelism: 1, pollEveryMs: 250 };
/** Polls are at 0, 250, 500 and so on. */
const first = () => 0;

function batches(times: readonly number[], changes: Partial<StreamSource> = {}, durationMs = 100) {
  const arrivals = times.map((at, event): Arrival => ({ event, at }));
  const all = collectFromStream(arrivals, { ...source, ...changes }, () => durationMs, first);
  return all.map(({ at, events }) => [at, events.length]);
}

describe('a batch of a stream', () => {
  it.each<[string, readonly number[], Partial<StreamSource>, number, readonly (readonly number[])[]]>([
    [
      'is what one poll brings',
      [1, 2, 251],
      {},
      100,
      [
        [250, 2],
        [500, 1],
      ],
    ],
    [
      'waits for its window',
      [1, 251, 1300],
      { windowMs: 1000 },
      100,
      [
        [1250, 2],
        [2500, 1],
      ],
    ],
    [
      'is complete once it is full',
      [1, 2, 3, 4],
      { windowMs: 1000 },
      100,
      [
        [250, 3],
        [1350, 1],
      ],
    ],
    [
      'waits for the one before it',
      [1, 251],
      {},
      700,
      [
        [250, 1],
        [950, 1],
      ],
    ],
  ])('%s', (_, times, changes, durationMs, expected) => {
    expect(batches(times, changes, durationMs)).toEqual(expected);
  });

  it('waits for none of another shard or lane', () => {
    let draw = 0;
    // Two phases of zero, then a lane for each change.
    const draws = [0, 0, 0, 0.3, 0.6, 0.9];
    const random = () => draws[draw++] ?? 0;
    const arrivals = [1, 1, 1, 1].map((at, event): Arrival => ({ event, at }));
    const all = collectFromStream(arrivals, { ...source, shards: 2, parallelism: 2 }, () => 900, random);
    expect(all.map(({ at, events }) => [at, ...events])).toEqual([
      [250, 0],
      [250, 1],
      [250, 2],
      [250, 3],
    ]);
  });
});
