import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  type PutItemCommandInput,
  paginateQuery,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { erasuresList, type Item } from '../../functions/history/index.ts';
import { readItems } from '../../functions/history/io.ts';

/** A table whose items are read one after another. */
export interface ItemTable {
  readonly name: string;
  /** Identifies the table, also if another gets its name. */
  readonly id: string;
  /** How many items the table had some hours ago. */
  readonly items: number;
}

/** Items that were read together. */
export interface ItemPage {
  readonly items: readonly Item[];
  /** Where reading continues after this page; left out after the last one. */
  readonly next?: string;
  /** What is doubtful about the part, which the last page may say. */
  readonly doubt?: string;
}

/** A table is read in this many parts at the same time. */
export const segments = 8;

/** Reads which table a name or an ARN means. @throws as the database */
export async function describeTable(client: DynamoDBClient, TableName: string): Promise<ItemTable> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return {
    name: TableName,
    id: Table?.TableId ?? Table?.TableArn ?? TableName,
    items: Table?.ItemCount ?? 0,
  };
}

/** Reads one of the {@link segments} of a table, page by page. @param start `next` of a page, to continue after it */
export async function* scanSegment(
  client: DynamoDBClient,
  TableName: string,
  Segment: number,
  start?: string,
): AsyncGenerator<ItemPage, void> {
  let from: Item | undefined = start === undefined ? undefined : JSON.parse(start);
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({ TableName, Segment, TotalSegments: segments, ExclusiveStartKey: from }),
    );
    from = LastEvaluatedKey;
    yield { items: Items, ...(from !== undefined && { next: JSON.stringify(from) }) };
  } while (from !== undefined);
}

/**
 * - `written`: the item is stored.
 * - `changed`: it is another one than was read, and is not overwritten.
 * - `refused`: the database never accepts it, because it is too large.
 */
type PutOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'changed'; readonly item: Item | undefined }
  | { readonly kind: 'refused' };

/** Reads and writes the items of a history and its quarantine. */
export interface HistoryItems {
  readonly tables: { readonly history: ItemTable; readonly quarantine: ItemTable };
  /** Reads items of the history by their keys. Those that do not exist are missing in the result. */
  read(keys: readonly string[]): Promise<ReadonlyMap<string, Item>>;
  /** Reads entries of the quarantine by their `pk` and `sk`. Those that do not exist are missing in the result. */
  readQuarantine(keys: readonly QuarantineKey[]): Promise<readonly Item[]>;
  /** Writes an item if its condition holds. */
  put(table: 'history' | 'quarantine', write: ConditionalPut): Promise<PutOutcome>;
  /** Lets an item of the history be kept longer, if it still exists and is kept shorter. @param expiresAt epoch seconds; undefined for ever */
  keepUntil(key: Item, expiresAt: number | undefined): Promise<'written' | 'unchanged'>;
  /** Reads one of the {@link segments} of a table. */
  scan(table: 'history' | 'quarantine', segment: number, start?: string): AsyncGenerator<ItemPage, void>;
  /** Reads the receipts of erasures. */
  erasures(): Promise<readonly Item[]>;
}

type ConditionalPut = Pick<
  PutItemCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
> & { readonly Item: Item };

interface QuarantineKey {
  readonly pk: string;
  readonly sk: string;
}

export async function createHistoryItems(
  client: DynamoDBClient,
  names: { readonly history: string; readonly quarantine: string },
): Promise<HistoryItems> {
  return {
    tables: {
      history: await describeTable(client, names.history),
      quarantine: await describeTable(client, names.quarantine),
    },

    read: (keys) => readItems(client, names.history, keys),

    readQuarantine: (keys) => readEntries(client, names.quarantine, keys),

    async put(table, write) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: names[table],
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            ...write,
          }),
        );
        return { kind: 'written' };
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return { kind: 'changed', item: error.Item };
        if (error instanceof DynamoDBServiceException && error.name === 'ValidationException')
          return { kind: 'refused' };
        throw error;
      }
    },

    async keepUntil(Key, expiresAt) {
      const change =
        expiresAt === undefined
          ? {
              UpdateExpression: 'REMOVE #expiresAt',
              ConditionExpression: 'attribute_exists(#expiresAt)',
            }
          : {
              UpdateExpression: 'SET #expiresAt = :expiresAt',
              ConditionExpression: '#expiresAt < :expiresAt',
              ExpressionAttributeValues: { ':expiresAt': { N: String(expiresAt) } },
            };
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: names.history,
            Key,
            ExpressionAttributeNames: { '#expiresAt': 'expiresAt' },
            ...change,
          }),
        );
        return 'written';
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return 'unchanged';
        throw error;
      }
    },

    scan: (table, segment, start) => scanSegment(client, names[table], segment, start),

    async erasures() {
      const found: Item[] = [];
      const query = {
        TableName: names.history,
        IndexName: 'byList',
        KeyConditionExpression: '#list = :list',
        ExpressionAttributeNames: { '#list': 'listName' },
        ExpressionAttributeValues: { ':list': { S: erasuresList } },
      };
      const keys: string[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query))
        keys.push(...Items.map(({ pk }) => pk?.S ?? ''));
      for (const item of (
        await readItems(client, names.history, keys, undefined, { consistent: true })
      ).values())
        found.push(item);
      return found;
    },
  };
}

/** BatchGetItem accepts at most this many keys. */
const maxBatchKeys = 100;

async function readEntries(
  client: DynamoDBClient,
  table: string,
  keys: readonly QuarantineKey[],
): Promise<readonly Item[]> {
  const found: Item[] = [];
  const unique = new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key]));
  let unread = [...unique.values()].map(({ pk, sk }): Item => ({ pk: { S: pk }, sk: { S: sk } }));
  while (unread.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { Keys: unread.slice(0, maxBatchKeys) } } }),
    );
    found.push(...(Responses?.[table] ?? []));
    unread = [...(UnprocessedKeys?.[table]?.Keys ?? []), ...unread.slice(maxBatchKeys)];
  }
  return found;
}
