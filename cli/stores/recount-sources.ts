import { type DynamoDBClient, paginateQuery, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../functions/history/index.ts';
import {
  type CounterKey,
  type CounterRetention,
  type CounterWriter,
  checkpointKey,
  type Positions,
} from '../../functions/insights/index.ts';
import { createCounterWriter, readCodes, readCounters } from '../../functions/insights/io.ts';
import type { ReadChanges, ReadOldestUncounted } from './history-changes.ts';

/** What a recount of the counters reads and writes. */
export interface RecountSources {
  /** Returns up to where each shard of the stream is counted. */
  positions(): Promise<Positions>;
  /** Returns all items of the history. */
  history(): AsyncGenerator<readonly Item[], void>;
  /** Returns the error codes that have counts of their own. */
  codes(): Promise<ReadonlySet<string>>;
  /** Returns the items of the table of counters. */
  counters(): AsyncGenerator<readonly Item[], void>;
  /** Reads counters by the names of their items. The read sees every earlier write. */
  read(keys: readonly CounterKey[]): Promise<ReadonlyMap<string, Item>>;
  readonly changes: ReadChanges;
  /** Returns when the oldest change was made that is not counted, in milliseconds since the epoch; undefined if all are. */
  oldestUncounted(): Promise<number | undefined>;
  /** For how long the deployed pipeline keeps counters. */
  readonly retention: CounterRetention;
  writer(): CounterWriter;
}

export function createRecountSources(
  client: DynamoDBClient,
  tables: { readonly insights: string; readonly history: string },
  retention: CounterRetention,
  {
    changes,
    oldestUncounted,
  }: { readonly changes: ReadChanges; readonly oldestUncounted: ReadOldestUncounted },
): RecountSources {
  const { insights, history } = tables;
  async function* scan(TableName: string) {
    for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true }))
      yield Items;
  }
  async function positions(): Promise<Positions> {
    const found = new Map<string, string>();
    const query = {
      TableName: insights,
      ConsistentRead: true,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: checkpointKey('').pk } },
    };
    for await (const { Items = [] } of paginateQuery({ client }, query))
      for (const { sk, countedTo } of Items) found.set(sk?.S ?? '', countedTo?.S ?? '');
    return found;
  }
  return {
    positions,
    oldestUncounted: async () => oldestUncounted(await positions()),
    history: () => scan(history),
    codes: () => readCodes(client, insights),
    counters: () => scan(insights),
    read: (keys) => readCounters(client, insights, keys, true),
    changes,
    retention,
    writer: () => createCounterWriter(client, tables, retention, Date.now),
  };
}
