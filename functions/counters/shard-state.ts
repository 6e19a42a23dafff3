import type { Item } from '../history/history-item-store.ts';
import { type CounterKey, onlySort } from './cohort.ts';

/** The generations of counters that are written. A rebuild fills the next one beside the current one. */
export interface Generations {
  readonly current: string;
  readonly next?: string;
}

/** What of a shard of the stream is counted already. */
export interface ShardState {
  readonly shardId: string;
  /** The sequence number of the last record that is counted, padded; undefined for a shard of which none is. */
  readonly counted: string | undefined;
  readonly generations: Generations;
}

/** Which generation readers read, and whether another one is being filled. */
export const controlKey: CounterKey = { pk: 'control', sk: onlySort };

const checkpointPartition = 'checkpoint';
export const checkpointKey = (shardId: string): CounterKey => ({ pk: checkpointPartition, sk: shardId });

const firstGeneration = '1';

/** Reads the generations in the control item, which only a rebuild writes, or in a checkpoint. */
export function generationsIn(item: Item | undefined): Generations {
  const { current, next } = item ?? {};
  return {
    current: current?.S ?? firstGeneration,
    ...(next?.S !== undefined && { next: next.S }),
  };
}

export const listOf = ({ current, next }: Generations): readonly string[] =>
  next === undefined ? [current] : [current, next];

/** Sequence numbers have at most 40 digits (Amazon DynamoDB Streams API reference, StreamRecord). */
const sequenceDigits = 40;

/** Pads a sequence number, so that the order of texts is that of the numbers. */
export const paddedSequence = (sequenceNumber: string): string =>
  sequenceNumber.padStart(sequenceDigits, '0');
