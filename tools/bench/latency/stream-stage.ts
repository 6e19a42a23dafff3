import type { Arrival, Batch } from './queue-stage.ts';

export interface StreamSource {
  readonly batchSize: number;
  readonly windowMs: number;
  readonly shards: number;
  /** Batches of a shard at once. */
  readonly parallelism: number;
  /** Lambda polls a shard four times a second (Lambda developer guide, "Using Lambda with Amazon DynamoDB"). */
  readonly pollEveryMs: number;
}

/**
 * Collects the changes of a table into batches. The polls of a shard divide its changes among the lanes; a lane has one invocation at a time.
 *
 * @param arrivals when the stream shows the changes, in any order
 */
export function collectFromStream(
  arrivals: readonly Arrival[],
  source: StreamSource,
  durationOf: (events: number) => number,
  random: () => number,
): Batch[] {
  const phases = Array.from({ length: source.shards }, () => random() * source.pollEveryMs);
  const lanes = phases.flatMap(() => Array.from({ length: source.parallelism }, (): Arrival[] => []));
  for (const { event, at } of arrivals) {
    const lane = Math.floor(random() * lanes.length);
    const phase = phases[Math.floor(lane / source.parallelism)] ?? 0;
    const polls = Math.ceil((at - phase) / source.pollEveryMs);
    lanes[lane]?.push({ event, at: phase + polls * source.pollEveryMs });
  }
  return lanes.flatMap((lane) => batchesOfLane(lane, source, durationOf));
}

function batchesOfLane(
  read: readonly Arrival[],
  { batchSize, windowMs }: StreamSource,
  durationOf: (events: number) => number,
): Batch[] {
  const inOrder = read.toSorted((one, other) => one.at - other.at);
  const batches: Batch[] = [];
  let freeAt = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < inOrder.length; ) {
    const beginsAt = Math.max(freeAt, inOrder[first]?.at ?? 0);
    const fullAt = Math.max(beginsAt, inOrder[first + batchSize - 1]?.at ?? Number.POSITIVE_INFINITY);
    const at = Math.min(beginsAt + windowMs, fullAt);
    const events: number[] = [];
    for (
      let change = inOrder[first];
      change !== undefined && change.at <= at && events.length < batchSize;
    ) {
      events.push(change.event);
      change = inOrder[first + events.length];
    }
    batches.push({ at, events });
    first += events.length;
    freeAt = at + durationOf(events.length);
  }
  return batches;
}
