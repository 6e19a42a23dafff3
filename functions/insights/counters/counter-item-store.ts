import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../history/index.ts';
import type { CounterKey } from './cohort.ts';
import { keyAttributes, keyOfItem, nameOf } from './counter-items.ts';

/** BatchGetItem accepts at most this many keys. */
const maxBatchKeys = 100;
/** DynamoDB may leave keys unread this many times in a row, then the call counts as throttled. */
const maxRounds = 6;
const firstPauseMs = 25;

class UnreadKeysError extends Error {
  override readonly name = 'ThrottlingException';
}

/**
 * Reads items of the table of counters, by {@link nameOf} their keys. Items that do not exist are missing in the result.
 *
 * @param consistent whether the read sees every earlier write, which costs twice as much
 * @param pause waits this many milliseconds
 */
export async function readCounters(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly CounterKey[],
  consistent: boolean,
  pause: (milliseconds: number) => Promise<unknown> = delay,
): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>();
  let unread = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
  let rounds = 0;
  while (unread.length > 0) {
    const Keys = unread.slice(0, maxBatchKeys).map(keyAttributes);
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [tableName]: { Keys, ConsistentRead: consistent } } }),
    );
    for (const item of Responses?.[tableName] ?? []) items.set(nameOf(keyOfItem(item)), item);
    const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(keyOfItem);
    unread = [...unprocessed, ...unread.slice(maxBatchKeys)];
    rounds = unprocessed.length === 0 ? 0 : rounds + 1;
    if (rounds === maxRounds) throw new UnreadKeysError(`${unprocessed.length} keys were left unread`);
    if (rounds > 0) await pause(Math.random() * firstPauseMs * 2 ** rounds);
  }
  return items;
}
