import type { CounterKey } from './cohort.ts';

/** What of a shard of the stream is counted already. */
export interface ShardState {
  readonly shardId: string;
  /** The sequence number of the last record that is counted, padded; undefined for a shard without a counted record. */
  readonly counted: string | undefined;
}

export const checkpointKey = (shardId: string): CounterKey => ({ pk: 'checkpoint', sk: shardId });

/** Sequence numbers have at most 40 digits (Amazon DynamoDB Streams API reference, StreamRecord). */
const sequenceDigits = 40;

/** Pads a sequence number, so that the order of texts is that of the numbers. */
export const paddedSequence = (sequenceNumber: string): string =>
  sequenceNumber.padStart(sequenceDigits, '0');
