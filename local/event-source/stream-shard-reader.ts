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
  /** Takes one record after the other, in the shard's order. */
  deliver(record: StreamRecord): void;
  /** Resolves when more may come. */
  room(): Promise<void>;
}

/**
 * Reads a shard to its end, which comes when it is closed, or until the signal aborts. Whatever fails, it goes on behind
 * the last record that was delivered. `LATEST` passes over what the shard has until there is no more, and remembers how
 * far that was: an iterator at `LATEST` that expires would have nothing to be renewed by.
 */
export async function readShard(reading: ShardReading, signal: AbortSignal): Promise<void> {
  const { client, trouble } = reading;
  let position: Position = { ShardIteratorType: 'TRIM_HORIZON' };
  let isPassing = reading.from === 'LATEST';
  let iterator: string | undefined;
  while (!signal.aborted) {
    await trouble.pause();
    if (signal.aborted) return;
    try {
      iterator ??= await iteratorAt(reading, position, signal);
      const found = await client.send(new GetRecordsCommand({ ShardIterator: iterator }), {
        abortSignal: signal,
      });
      const records = found.Records ?? [];
      if (records.length === 0) isPassing = false;
      for (const record of records) {
        if (!isPassing) reading.deliver(record);
        position = {
          ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
          SequenceNumber: record.dynamodb?.SequenceNumber,
        };
      }
      trouble.over();
      await reading.room();
      iterator = found.NextShardIterator;
      if (iterator === undefined) return;
      if (records.length === 0) await delay(POLL_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      iterator = undefined;
      const name = error instanceof Error ? error.name : '';
      if (name === 'TrimmedDataAccessException') position = { ShardIteratorType: 'TRIM_HORIZON' };
      else if (name !== 'ExpiredIteratorException') trouble.begins(reasonOf(error));
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
