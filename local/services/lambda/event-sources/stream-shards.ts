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
import { errorName } from '../../../../functions/base/basics.ts';
import { reasonOf } from '../../../terminal/terminal.ts';
import type { Backoff } from './failures.ts';

/** Lambda polls a shard of a stream four times a second. */
const POLL_MS = 250;
/** The maximum number of records of one GetRecords call. */
const READ_LIMIT = 1000;

export type StartingPosition = 'TRIM_HORIZON' | 'LATEST';

export interface ShardReading {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shardId: string;
  readonly from: StartingPosition;
  readonly trouble: Backoff;
  /** Called for each record, in the shard's order. */
  deliver(record: StreamRecord): void;
  /** Resolves when more records may be delivered. */
  room(): Promise<void>;
}

/**
 * Reads a shard until it is closed or the signal aborts. After a failure it continues after the last delivered record. With `LATEST` it skips the
 * existing records and remembers the position of the last one, because an expired iterator at `LATEST` could not be renewed.
 */
export async function readShard(reading: ShardReading, signal: AbortSignal): Promise<void> {
  const { client, trouble } = reading;
  let position: Position = { ShardIteratorType: 'TRIM_HORIZON' };
  let isSkipping = reading.from === 'LATEST';
  let iterator: string | undefined;
  while (!signal.aborted) {
    await trouble.pause();
    if (signal.aborted) return;
    try {
      iterator ??= await iteratorAt(reading, position, signal);
      const answer = await client.send(new GetRecordsCommand({ ShardIterator: iterator }), {
        abortSignal: signal,
      });
      const records = answer.Records ?? [];
      if (records.length === 0) isSkipping = false;
      for (const record of records) {
        if (!isSkipping) reading.deliver(record);
        position = {
          ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
          SequenceNumber: record.dynamodb?.SequenceNumber,
        };
      }
      trouble.over();
      await reading.room();
      iterator = answer.NextShardIterator;
      if (iterator === undefined) return;
      if (records.length < READ_LIMIT) await delay(POLL_MS, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      iterator = undefined;
      const name = errorName(error);
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
 * Decides which shards may be read: each once, and a child only after its parent is finished, so that the changes of an item stay in order. The
 * starting position applies to the shards of the first listing. Later shards are read from their beginning.
 */
export class ShardOrder {
  readonly #begun = new Set<string>();
  readonly #done = new Set<string>();
  readonly #startingPosition: StartingPosition;
  #isFirst = true;

  constructor(startingPosition: StartingPosition) {
    this.#startingPosition = startingPosition;
  }

  /** @param shards all current shards of the stream */
  readable(shards: readonly Shard[]): ReadableShard[] {
    const from = this.#isFirst ? this.#startingPosition : 'TRIM_HORIZON';
    const listed = new Set(shards.map(({ ShardId }) => ShardId));
    if (from === 'LATEST') {
      for (const { ShardId = '', SequenceNumberRange } of shards)
        if (SequenceNumberRange?.EndingSequenceNumber !== undefined) this.#skip(ShardId);
    }
    this.#isFirst = false;
    const readable: ReadableShard[] = [];
    for (const { ShardId: shardId, ParentShardId: parent } of shards) {
      if (shardId === undefined || this.#begun.has(shardId)) continue;
      // A parent that is not listed any more was trimmed with all its records.
      const waits = parent !== undefined && listed.has(parent) && !this.#done.has(parent);
      if (waits) continue;
      this.#begun.add(shardId);
      readable.push({ shardId, from });
    }
    return readable;
  }

  /** Marks a shard whose records are all finished. */
  done(shardId: string): void {
    this.#done.add(shardId);
  }

  #skip(shardId: string): void {
    this.#begun.add(shardId);
    this.#done.add(shardId);
  }
}
