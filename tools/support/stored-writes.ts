import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { dynamoDbStreamsClient } from '../../local/services/dynamodb/api.ts';
import { listShards } from '../../local/services/lambda/event-sources/stream-shards.ts';
import { billWrite, entryOf, type Index, type Item, sizeOf } from './write-rules.ts';

/** The cost of the writes to a table by DynamoDB's documented rules, and the stored result. */
export interface StoredWrites {
  /** Writes that changed an item. */
  readonly writes: number;
  /** Write units, by `table` and the indexes' names. */
  readonly units: Readonly<Record<string, number>>;
  readonly items: number;
  /** The size of all items, and of their entries in indexes. */
  readonly itemBytes: number;
  readonly indexEntries: number;
  readonly indexBytes: number;
}

/**
 * Reads the table's whole stream, which has each item before and after each write.
 *
 * @param endpoint of DynamoDB Local
 */
export async function storedWrites(
  client: DynamoDBClient,
  endpoint: string,
  TableName: string | undefined,
): Promise<StoredWrites> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const names = (schema: readonly { AttributeName?: string | undefined }[] = []) =>
    schema.flatMap(({ AttributeName }) => AttributeName ?? []);
  const indexes = (Table?.GlobalSecondaryIndexes ?? []).map(
    ({ IndexName = '', KeySchema, Projection }): Index => {
      if (Projection?.ProjectionType === 'ALL') throw new Error(`${IndexName} holds whole items`);
      return {
        name: IndexName,
        keys: [...names(KeySchema), ...names(Table?.KeySchema)],
        repeats: Projection?.NonKeyAttributes ?? [],
      };
    },
  );
  const streams = dynamoDbStreamsClient(endpoint);
  const units = new Map<string, number>();
  const items = new Map<string, Item>();
  let writes = 0;
  try {
    for await (const { before, after } of changes(streams, Table?.LatestStreamArn ?? '')) {
      writes += 1;
      const bill = billWrite(before, after, indexes);
      for (const [name, amount] of [['table', bill.table] as const, ...Object.entries(bill.indexes)])
        units.set(name, (units.get(name) ?? 0) + amount);
      const pk = (after ?? before)?.pk?.S ?? '';
      if (after === undefined) items.delete(pk);
      else items.set(pk, after);
    }
  } finally {
    streams.destroy();
  }
  const entries = [...items.values()].flatMap((item) =>
    indexes.map((index) => entryOf(item, index)).filter((entry) => entry !== undefined),
  );
  const bytesOf = (all: readonly Item[]) => all.reduce((sum, item) => sum + sizeOf(item), 0);
  return {
    writes,
    units: Object.fromEntries(units),
    items: items.size,
    itemBytes: bytesOf([...items.values()]),
    indexEntries: entries.length,
    indexBytes: bytesOf(entries),
  };
}

interface Change {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** All changes that the stream has by now, each shard's in order. */
async function* changes(client: DynamoDBStreamsClient, StreamArn: string): AsyncGenerator<Change> {
  const shards = await listShards(client, StreamArn, new AbortController().signal);
  for (const { ShardId } of shards) {
    const asked = new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' });
    let { ShardIterator: iterator } = await client.send(asked);
    while (iterator !== undefined) {
      const found = await client.send(new GetRecordsCommand({ ShardIterator: iterator }));
      for (const { dynamodb } of found.Records ?? [])
        yield { before: dynamodb?.OldImage, after: dynamodb?.NewImage };
      iterator = found.Records?.length ? found.NextShardIterator : undefined;
    }
  }
}
