import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './history-items.ts';

/** BatchGetItem takes at most this many keys. */
const batchSize = 100;

/** Items of the history table by their key; those that do not exist (any more) are missing. */
export async function readItems(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let wanted = keys.map((pk) => ({ pk: { S: pk } }));
  while (wanted.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys: wanted.slice(0, batchSize) } } }),
    );
    for (const item of Responses?.[tableName] ?? []) found.set(item.pk?.S ?? '', item);
    const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk }) => ({
      pk: { S: pk?.S ?? '' },
    }));
    wanted = [...wanted.slice(batchSize), ...unprocessed];
  }
  return found;
}
