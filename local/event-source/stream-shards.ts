import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { StartingPosition } from './stream-shard-reader.ts';

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
