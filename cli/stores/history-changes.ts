import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { errorName } from '../../functions/base/basics.ts';
import type { Item } from '../../functions/history/index.ts';
import { countedPrefixes, type Positions, paddedSequence } from '../../functions/insights/index.ts';

/** A change of an item, as the stream of the history has it. */
export interface StreamChange {
  readonly shardId: string;
  /** The padded sequence number. */
  readonly position: string;
  readonly key: string;
  readonly isRemoval: boolean;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * Reads all changes after the positions of shards, until the time of the call at least.
 *
 * @returns undefined if the table has no stream, or the stream shows nothing new for two minutes
 */
export type ReadChanges = (positions: Positions) => Promise<readonly StreamChange[] | undefined>;

/** The keys of items that only mark a time in the stream begin with this. No function counts or publishes them. */
const markPrefix = 'insights#mark#';
const markHours = 1;

/** Sequence numbers have at least so many digits (Amazon DynamoDB Streams API reference, GetShardIterator). */
const minDigits = 21;

/**
 * Publisher and insights read each shard four times a second, and a shard accepts about that much. So this third reader reads once a second, and
 * waits longer where it is throttled.
 */
const pauseMs = 1000;
const maxThrottles = 6;
/** So many rounds in a row may find nothing, which are two minutes. */
const maxEmptyRounds = 120;
/** At most this many marks are written in a round. */
const maxMarks = 10;

/** The errors of a stream whose shard is read too often. */
const throttled: ReadonlySet<string> = new Set([
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
]);

interface Reader {
  iterator: string | undefined;
  /** Whether everything until the call was read. */
  isDone: boolean;
}

/** The error of a position whose records the stream has dropped. It may come with the iterator, or with the first page. */
const trimmed = 'TrimmedDataAccessException';

type Pause = (milliseconds: number) => Promise<unknown>;

/** Makes the calls with which a third reader reads shards. */
function createShardReads(streams: DynamoDBStreamsClient, pause: Pause) {
  /** Reads a page of a shard. @throws the last error where DynamoDB throttles each of some attempts */
  async function readPage(ShardIterator: string | undefined) {
    for (let throttles = 0; ; throttles++) {
      try {
        return await streams.send(new GetRecordsCommand({ ShardIterator }));
      } catch (error) {
        if (!throttled.has(errorName(error)) || throttles === maxThrottles) throw error;
        await pause(pauseMs * 2 ** throttles);
      }
    }
  }

  async function shardIds(streamArn: string): Promise<string[]> {
    const ids: string[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await streams.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId: last }),
      );
      ids.push(...(StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    return ids;
  }

  async function open(streamArn: string, ShardId: string, position: string | undefined): Promise<Reader> {
    const shard = { StreamArn: streamArn, ShardId };
    const fromStart = new GetShardIteratorCommand({ ...shard, ShardIteratorType: 'TRIM_HORIZON' });
    try {
      const { ShardIterator } = await streams.send(
        position === undefined
          ? fromStart
          : new GetShardIteratorCommand({
              ...shard,
              ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
              SequenceNumber: position.replace(/^0+/, '').padStart(minDigits, '0'),
            }),
      );
      return { iterator: ShardIterator, isDone: false };
    } catch (error) {
      // The stream keeps records for a day. What is left of the shard is later than the position. A recount that takes a day fails, so it misses nothing.
      if (errorName(error) !== trimmed) throw error;
      return { iterator: (await streams.send(fromStart)).ShardIterator, isDone: false };
    }
  }

  return { readPage, shardIds, open };
}

async function streamOf(client: DynamoDBClient, TableName: string): Promise<string | undefined> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table?.LatestStreamArn;
}

/**
 * Makes a reader of the history's stream. What a stream shows may be a moment old. So the reader writes marks into the history, and reads each shard
 * until it meets a mark or the end of the shard: all earlier changes of the shard come before it.
 *
 * @param pause waits this many milliseconds
 */
export function createChangeReader(
  client: DynamoDBClient,
  streams: DynamoDBStreamsClient,
  tableName: string,
  newId: () => string,
  pause: Pause = delay,
): ReadChanges {
  const { readPage, shardIds, open } = createShardReads(streams, pause);

  async function mark(): Promise<string> {
    const key = `${markPrefix}${newId()}`;
    const expiresAt = String(Math.floor(Date.now() / 1000) + markHours * 3600);
    const Item = { pk: { S: key }, expiresAt: { N: expiresAt } };
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
    return key;
  }

  return async (positions) => {
    const streamArn = await streamOf(client, tableName);
    if (streamArn === undefined) return undefined;
    const readers = new Map<string, Reader>();
    const changes: StreamChange[] = [];
    const marks = new Set<string>();
    try {
      for (let empty = 0; ; ) {
        for (const id of await shardIds(streamArn))
          if (!readers.has(id)) readers.set(id, await open(streamArn, id, positions.get(id)));
        const waiting = [...readers].filter(([, { isDone }]) => !isDone);
        if (waiting.length === 0) return changes;
        if (empty === maxEmptyRounds) return undefined;
        for (let count = 0; count < Math.min(maxMarks, waiting.length); count++) marks.add(await mark());
        let found = 0;
        for (const [shardId, reader] of waiting) {
          const page = await readPage(reader.iterator);
          const records = (page.Records ?? []).map((record) => changeOf(shardId, record));
          reader.iterator = page.NextShardIterator;
          reader.isDone = reader.iterator === undefined || records.some(({ key }) => marks.has(key));
          found += records.length;
          changes.push(...records.filter(({ key }) => !key.startsWith(markPrefix)));
        }
        empty = found === 0 ? empty + 1 : 0;
        if (waiting.some(([, { isDone }]) => !isDone)) await pause(pauseMs);
      }
    } finally {
      for (const key of marks)
        await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: key } } }));
    }
  };
}

/** A page of a stream may be empty before its end. After so many pages, the rest of a shard is taken as counted. */
const maxPages = 5;

/** Returns when the oldest change was made that is not counted, in milliseconds since the epoch; undefined if all are. It writes nothing. */
export type ReadOldestUncounted = (positions: Positions) => Promise<number | undefined>;

/** Makes a reader that looks at each shard after the position up to which it is counted. @param pause waits this many milliseconds */
export function createOldestUncounted(
  client: DynamoDBClient,
  streams: DynamoDBStreamsClient,
  tableName: string,
  pause: Pause = delay,
): ReadOldestUncounted {
  const { readPage, shardIds, open } = createShardReads(streams, pause);
  const isCounted = ({ eventName, dynamodb }: StreamRecord) =>
    eventName !== 'REMOVE' && countedPrefixes.some((prefix) => dynamodb?.Keys?.pk?.S?.startsWith(prefix));

  /** @throws TrimmedDataAccessException where the stream dropped the records after the position */
  async function oldestAfter(iterator: string | undefined): Promise<number | undefined> {
    let next = iterator;
    for (let page = 0; page < maxPages && next !== undefined; page++) {
      const { Records = [], NextShardIterator } = await readPage(next);
      const time = Records.find(isCounted)?.dynamodb?.ApproximateCreationDateTime;
      if (time !== undefined) return time.getTime();
      next = NextShardIterator;
      await pause(pauseMs);
    }
    return undefined;
  }

  async function oldestOf(streamArn: string, id: string, position: string | undefined) {
    try {
      return await oldestAfter((await open(streamArn, id, position)).iterator);
    } catch (error) {
      if (errorName(error) !== trimmed) throw error;
      return oldestAfter((await open(streamArn, id, undefined)).iterator);
    }
  }

  return async (positions) => {
    const streamArn = await streamOf(client, tableName);
    if (streamArn === undefined) return undefined;
    const oldest = await Promise.all(
      (await shardIds(streamArn)).map((id) => oldestOf(streamArn, id, positions.get(id))),
    );
    const times = oldest.filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };
}

function changeOf(shardId: string, { eventName, dynamodb }: StreamRecord): StreamChange {
  return {
    shardId,
    position: paddedSequence(dynamodb?.SequenceNumber ?? ''),
    key: dynamodb?.Keys?.pk?.S ?? '',
    isRemoval: eventName === 'REMOVE',
    before: dynamodb?.OldImage as Item | undefined,
    after: dynamodb?.NewImage as Item | undefined,
  };
}
