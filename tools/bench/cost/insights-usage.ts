import type { Batching } from './template-facts.ts';

/**
 * KB of the items of a transaction: the position of the shard, a send, and a quarter hour and a day in its country. A histogram of delivery
 * times from a second to ten minutes has 160 buckets of 7 bytes.
 */
const itemKilobytes = [1, 2, 2, 3];
/** "DynamoDB read and write operations" of the Developer Guide: a transaction writes each item twice. */
const transactionFactor = 2;
/** Shards of the stream of a new table on demand, which takes 4,000 writes a second (Developer Guide, "On-demand capacity mode"). */
const startingShards = 4;
/** The position and the control item are read for each batch, consistent. */
const readsPerBatch = 2;
/** For each new message it is looked up whether replies wait for it, and for each reply its message, consistent. */
const newMessagesPerEvent = 0.32;
const repliesPerEvent = 0.05;
/** Assumed: milliseconds at 512 MiB for an invocation, most of which waits for three calls, and for an event. */
const billedMs = { perInvocation: 40, perEvent: 0.5 };
const memoryGb = 0.5;

/** Units of an event for its counters. */
interface InsightsUsage {
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly invocations: number;
  readonly gbSeconds: number;
}

/** Returns the usage of an event, of sends in one country each, while so many events a second come. */
export function insightsPerEvent(batching: Batching | undefined, perSecond: number): InsightsUsage {
  if (batching === undefined) return { writeUnits: 0, readUnits: 0, invocations: 0, gbSeconds: 0 };
  const { batchSize, windowSeconds } = batching;
  const shards = Math.max(startingShards, Math.ceil(perSecond / 1000));
  const events = Math.min(batchSize, 1 + (perSecond * windowSeconds) / shards);
  const kilobytes = itemKilobytes.reduce((sum, one) => sum + one, 0);
  return {
    writeUnits: (transactionFactor * kilobytes) / events,
    readUnits: readsPerBatch / events + newMessagesPerEvent + repliesPerEvent,
    invocations: 1 / events,
    gbSeconds: ((billedMs.perInvocation / events + billedMs.perEvent) / 1000) * memoryGb,
  };
}
