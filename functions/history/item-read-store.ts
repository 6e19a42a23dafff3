import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './item-keys.ts';

/** BatchGetItem accepts at most this many keys. */
const maxBatchKeys = 100;

/** DynamoDB may leave keys unread this many times in a row, then the call counts as throttled. */
const maxRounds = 6;
const firstPauseMs = 25;

/** Thrown if DynamoDB keeps leaving keys unread, which is throttling without an error. */
class UnreadKeysError extends Error {
  override readonly name = 'ThrottlingException';
}

export interface ReadOptions {
  /** Whether the read sees every earlier write, which costs twice as much. */
  readonly consistent?: boolean;
}

/**
 * Reads items of the history table by their keys. Items that do not exist are missing in the result.
 *
 * @param pause waits this many milliseconds
 */
export async function readItems(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly string[],
  pause: (milliseconds: number) => Promise<unknown> = delay,
  { consistent = false }: ReadOptions = {},
): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>();
  let unread = [...new Set(keys)].map((pk) => ({ pk: { S: pk } }));
  let round = 0;
  while (unread.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: { [tableName]: { Keys: unread.slice(0, maxBatchKeys), ConsistentRead: consistent } },
      }),
    );
    for (const item of Responses?.[tableName] ?? []) items.set(item.pk?.S ?? '', item);
    const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk }) => ({
      pk: { S: pk?.S ?? '' },
    }));
    unread = [...unprocessed, ...unread.slice(maxBatchKeys)];
    if (unprocessed.length === 0) {
      round = 0;
      continue;
    }
    round += 1;
    if (round === maxRounds) throw new UnreadKeysError(`${unprocessed.length} keys were left unread`);
    await pause(Math.random() * firstPauseMs * 2 ** round);
  }
  return items;
}
