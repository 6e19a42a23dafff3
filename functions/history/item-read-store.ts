import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './history-item-store.ts';

/** BatchGetItem takes at most this many keys. */
const batchSize = 100;

/** Times DynamoDB may leave keys unread in a row before it counts as throttled. */
const mostRounds = 6;
const firstPauseMs = 25;

/** Thrown where DynamoDB goes on leaving keys unread: throttling that is told in no error. */
class UnreadKeysError extends Error {
  override readonly name = 'ThrottlingException';
}

export interface ReadOptions {
  /** Whether everything that was written before is seen, which costs twice as much. */
  readonly consistent?: boolean;
}

/**
 * Items of the history table by their key; those that do not exist (any more) are missing.
 *
 * @param pause waits so many milliseconds
 */
export async function readItems(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly string[],
  pause: (milliseconds: number) => Promise<unknown> = delay,
  { consistent = false }: ReadOptions = {},
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>();
  let wanted = [...new Set(keys)].map((pk) => ({ pk: { S: pk } }));
  let round = 0;
  while (wanted.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [tableName]: { Keys: wanted.slice(0, batchSize), ConsistentRead: consistent } },
      }),
    );
    for (const item of Responses?.[tableName] ?? []) found.set(item.pk?.S ?? '', item);
    const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk }) => ({
      pk: { S: pk?.S ?? '' },
    }));
    wanted = [...unprocessed, ...wanted.slice(batchSize)];
    if (unprocessed.length === 0) {
      round = 0;
      continue;
    }
    round += 1;
    if (round === mostRounds) throw new UnreadKeysError(`${unprocessed.length} keys were left unread`);
    await pause(Math.random() * firstPauseMs * 2 ** round);
  }
  return found;
}
