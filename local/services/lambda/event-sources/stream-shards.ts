import { setTimeout as delay } from 'node:timers/promises';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  type Shard,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { type Backoff, reasonOf } from './failures.ts';

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

/** A shard that may be read now. */
export interface ReadableShard {
  readonly shardId: string;
  readonly from: StartingPosition;
}

/** Lists all shards of a stream. */
export async function listShards(
  client: DynamoDBStreamsClient,
  streamArn: string,
  abortSignal: AbortSignal,
): Promise<Shard[]> {
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const command = new DescribeStreamCommand({
      StreamArn: streamArn,
      ...(after !== undefined && { ExclusiveStartShardId: after }),
    });
    const { StreamDescription } = await client.send(command, { abortSignal });
    shards.push(...(StreamDescription?.Shards ?? []));
    after = StreamDescription?.LastEvaluatedShardId;
  } while (after !== undefined);
  return shards;
}

/**
 * Says which shards may be read: each once, and one that another one became only when that one is done with, so that an
 * item's changes stay in order. The starting position is for the shards of the first listing; what comes later is read from
 * its beginning.
 */
export class ShardOrder {
  readonly #begun = new Set<string>();
  readonly #done = new Set<string>();
  readonly #startingPosition: StartingPosition;
  #isFirst = true;

  constructor(startingPosition: StartingPosition) {
    this.#startingPosition = startingPosition;
  }

  /** @param shards all that the stream has now */
  readable(shards: readonly Shard[]): ReadableShard[] {
    const from = this.#isFirst ? this.#startingPosition : 'TRIM_HORIZON';
    const listed = new Set(shards.map(({ ShardId }) => ShardId));
    if (from === 'LATEST') {
      for (const { ShardId = '', SequenceNumberRange } of shards)
        if (SequenceNumberRange?.EndingSequenceNumber !== undefined) this.#skip(ShardId);
    }
    this.#isFirst = false;
    const found: ReadableShard[] = [];
    for (const { ShardId: shardId, ParentShardId: parent } of shards) {
      if (shardId === undefined || this.#begun.has(shardId)) continue;
      // A parent that is not listed any more was trimmed with all of its records.
      const waits = parent !== undefined && listed.has(parent) && !this.#done.has(parent);
      if (waits) continue;
      this.#begun.add(shardId);
      found.push({ shardId, from });
    }
    return found;
  }

  /** The shard was read to its end and its records are done with. */
  done(shardId: string): void {
    this.#done.add(shardId);
  }

  #skip(shardId: string): void {
    this.#begun.add(shardId);
    this.#done.add(shardId);
  }
}
