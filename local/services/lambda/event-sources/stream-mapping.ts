import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { reasonOf } from '../../../terminal/terminal.ts';
import { Backoff } from './failures.ts';
import type { EventSourceMapping } from './queue-mapping.ts';
import { type BatchHandling, failureMessage, processStreamBatch } from './stream-batch.ts';
import { Lane } from './stream-lane.ts';
import { streamRecordOf } from './stream-records.ts';
import {
  listShards,
  type ReadableShard,
  readShard,
  ShardOrder,
  type StartingPosition,
} from './stream-shards.ts';
import { TumblingWindow } from './tumbling-window.ts';

/** The interval between listings of shards while none ends. */
const LISTING_MS = 5000;

export interface StreamMappingOptions extends Omit<BatchHandling, 'discard'> {
  readonly client: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly functionArn: string;
  readonly startingPosition: StartingPosition;
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** 0: no tumbling windows. */
  readonly tumblingWindowSeconds: number;
  /** The maximum number of concurrent batches of a shard. Changes of one item are never processed concurrently. */
  readonly parallelizationFactor: number;
  /** Returns whether a record is for the function. Other records are skipped. */
  accepts(record: DynamoDBRecord): boolean;
  /** Sends the message about discarded records. */
  sendFailure(message: object): Promise<void>;
  /** Called for the first of consecutive failures. */
  onTrouble(message: string): void;
}

/**
 * Passes a table's stream to a function as Lambda does: each shard in order, batch by batch. It continues, with pauses, while stream or function
 * fail. The position in the stream is kept in memory, like the tables of a run.
 */
export function startStreamMapping(options: StreamMappingOptions): EventSourceMapping {
  const aborter = new AbortController();
  const running = follow(options, aborter.signal);
  return {
    async stop() {
      aborter.abort();
      await running;
    },
  };
}

async function follow(options: StreamMappingOptions, signal: AbortSignal): Promise<void> {
  const order = new ShardOrder(options.startingPosition);
  const trouble = streamTrouble(options, signal);
  const open = new Set<Promise<void>>();
  while (!signal.aborted) {
    await trouble.pause();
    try {
      const shards = await listShards(options.client, options.streamArn, signal);
      trouble.over();
      for (const shard of order.readable(shards)) {
        const ended: Promise<void> = feedShard(shard, options, signal).finally(() => {
          if (!signal.aborted) order.done(shard.shardId);
          open.delete(ended);
        });
        open.add(ended);
      }
      const rest = new AbortController();
      const pause = delay(LISTING_MS, undefined, { signal: AbortSignal.any([signal, rest.signal]) });
      await Promise.race([pause.catch(() => {}), ...open]);
      rest.abort();
    } catch (error) {
      if (!signal.aborted) trouble.begins(reasonOf(error));
    }
  }
  await Promise.all(open);
}

async function feedShard(
  { shardId, from }: ReadableShard,
  options: StreamMappingOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, streamArn } = options;
  const lanes = Array.from({ length: options.parallelizationFactor }, () =>
    startLane(shardId, options, signal),
  );
  const trouble = streamTrouble(options, signal);
  await readShard(
    {
      client,
      streamArn,
      shardId,
      from,
      trouble,
      deliver(streamRecord) {
        const record = streamRecordOf(streamRecord, streamArn);
        if (!options.accepts(record)) return;
        const sequenceNumber = record.dynamodb?.SequenceNumber ?? '';
        lanes[laneOf(record, lanes.length)]?.add({ record, sequenceNumber, readAt: options.now() });
      },
      async room() {
        await Promise.all(lanes.map((lane) => lane.room()));
      },
    },
    signal,
  );
  await Promise.all(lanes.map((lane) => lane.finish()));
}

function startLane(
  shardId: string,
  options: StreamMappingOptions,
  signal: AbortSignal,
): Pick<Lane, 'add' | 'room' | 'finish'> {
  const { batchSize, windowSeconds, streamArn, functionArn } = options;
  const trouble = new Backoff((reason) => options.onTrouble(`a batch failed: ${reason}`), signal);
  const sending = new Backoff(
    (reason) => options.onTrouble(`the on-failure queue does not answer: ${reason}`),
    signal,
  );
  const window = new TumblingWindow(
    {
      seconds: options.tumblingWindowSeconds,
      shardId,
      streamArn,
      now: options.now,
      invoke: options.invoke,
      trouble,
    },
    signal,
  );
  const handling: BatchHandling = {
    ...options,
    invoke: (event) => window.invoke(event),
    async discard(discarded) {
      const message = failureMessage(discarded, { streamArn, shardId, functionArn }, options.now());
      while (!signal.aborted) {
        await sending.pause();
        try {
          await options.sendFailure(message);
          return sending.over();
        } catch (error) {
          sending.begins(reasonOf(error));
        }
      }
    },
  };
  const lane = new Lane(
    {
      batchSize,
      windowSeconds,
      process: (batch) =>
        window.process(batch, (part) => processStreamBatch(part, handling, trouble, signal)),
    },
    signal,
  );
  return {
    add: (record) => lane.add(record),
    room: () => lane.room(),
    async finish() {
      await lane.finish();
      await window.finish();
    },
  };
}

function streamTrouble(options: StreamMappingOptions, signal: AbortSignal): Backoff {
  return new Backoff((reason) => options.onTrouble(`the table's stream does not answer: ${reason}`), signal);
}

/** Selects the lane of a record. All changes of an item have the same lane. */
function laneOf(record: DynamoDBRecord, lanes: number): number {
  const keys = Object.entries(record.dynamodb?.Keys ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha1').update(JSON.stringify(keys)).digest().readUInt32BE(0) % lanes;
}
