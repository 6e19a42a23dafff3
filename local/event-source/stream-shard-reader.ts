import { setTimeout as delay } from 'node:timers/promises';
import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { type Backoff, reasonOf } from './backoff.ts';

/** Lambda asks a shard of a stream four times a second. */
const POLL_MS = 250;

export type StartingPosition = 'TRIM_HORIZON' | 'LATEST';

export interface ShardReading {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shardId: string;
  readonly from: StartingPosition;
  readonly trouble: Backoff;
  /** Takes records in the shard's order; resolves when more may come. */
  deliver(records: readonly StreamRecord[]): Promise<void>;
}

/**
 * Reads a shard to its end, which comes when it is closed, or until the signal aborts. An iterator that is no longer
 * accepted is replaced by one behind the last record that was read.
 */
export async function readShard(reading: ShardReading, signal: AbortSignal): Promise<void> {
  const { client, trouble } = reading;
  let position: Position = { ShardIteratorType: reading.from };
  let iterator: string | undefined;
  while (!signal.aborted) {
    await trouble.pause();
    if (signal.aborted) return;
    try {
      iterator ??= await iteratorAt(reading, position, signal);
      const found = await client.send(new GetRecordsCommand({ ShardIterator: iterator }), {
        abortSignal: signal,
      });
      trouble.over();
      const records = found.Records ?? [];
      if (records.length > 0) await reading.deliver(records);
      const last = records.at(-1)?.dynamodb?.SequenceNumber;
      if (last !== undefined) position = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last };
      iterator = found.NextShardIterator;
      if (iterator === undefined) return;
      if (records.length === 0) await delay(POLL_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      const name = error instanceof Error ? error.name : '';
      if (name === 'ExpiredIteratorException') {
        iterator = undefined;
      } else if (name === 'TrimmedDataAccessException') {
        iterator = undefined;
        position = { ShardIteratorType: 'TRIM_HORIZON' };
      } else {
        trouble.begins(reasonOf(error));
      }
    }
  }
}

type Position = Pick<GetShardIteratorCommandInput, 'ShardIteratorType' | 'SequenceNumber'>;

async function iteratorAt(
  { client, streamArn, shardId }: ShardReading,
  position: Position,
  abortSignal: AbortSignal,
): Promise<string | undefined> {
  const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ...position });
  const { ShardIterator } = await client.send(command, { abortSignal });
  return ShardIterator;
}
