import { setTimeout as delay } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../history/item-keys.ts';
import type { CounterKey } from './cohort.ts';

/** BatchGetItem accepts at most this many keys. */
const maxBatchKeys = 100;
/** DynamoDB may leave keys unread this many times in a row, then the call counts as throttled. */
const maxRounds = 6;
const firstPauseMs = 25;

class UnreadKeysError extends Error {
  override readonly name = 'ThrottlingException';
}

/** Names an item within the table. */
export const nameOf = ({ pk, sk }: CounterKey): string => `${pk} ${sk}`;

export const keyAttributes = ({ pk, sk }: CounterKey) => ({ pk: { S: pk }, sk: { S: sk } });

/**
 * Reads items of the table of counters, by {@link nameOf} their keys. Items that do not exist are missing in the result.
 *
 * @param consistent whether the read sees every earlier write, which costs twice as much
 */
export async function readCounters(
  client: DynamoDBClient,
  tableName: string,
  keys: readonly CounterKey[],
  consistent: boolean,
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
    if (rounds > 0) await delay(Math.random() * firstPauseMs * 2 ** rounds);
  }
  return items;
}

/** Returns a time as an item has it: ISO 8601 in UTC with milliseconds. @param ms since 1970 */
export const timeAttribute = (ms: number) => ({ S: new Date(ms).toISOString() });

/** Returns the time of the earliest report of a send, in milliseconds since 1970; undefined for an item without one. */
export function firstReportOf(item: Item | undefined): number | undefined {
  return item?.firstReportAt?.S === undefined ? undefined : Date.parse(item.firstReportAt.S);
}

/** Returns the key of an item. */
export function keyOfItem(item: Item): CounterKey {
  return { pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' };
}
