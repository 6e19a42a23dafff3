import { createHash, randomBytes } from 'node:crypto';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import type { Message } from './message.ts';

/** The state of an item, as a write needs it. */
export interface ItemState {
  /** The key, which does not follow from an id with a lone surrogate once the item was read. */
  readonly pk: string;
  /**
   * Identifies this state of the item. Each write gives the item another generation, and so does an item that was deleted and written again. So
   * a state that was read before an erasure cannot be written after it.
   */
  readonly generation: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A message with the state of its item. */
export interface StoredMessage extends Message, ItemState {}

/** Returns a value that no item had before. */
export type NewGeneration = () => string;

/** Returns 48 random bits in hexadecimal. */
export const randomGeneration: NewGeneration = () => randomBytes(6).toString('hex');

/** @throws UnreadableItemError */
export function stateOf(item: Item): ItemState {
  return {
    pk: textIn(item, 'pk'),
    generation: textIn(item, 'generation'),
    expiresAt: numberIn(item, 'expiresAt'),
  };
}

export type Condition = Required<
  Pick<
    UpdateItemCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >
>;

/** Returns the condition that an item is still as it was read. */
export function unchangedCondition({ generation }: ItemState): Condition {
  return {
    ConditionExpression: '#generation = :read',
    ExpressionAttributeNames: { '#generation': 'generation' },
    ExpressionAttributeValues: { ':read': { S: generation } },
  };
}

export type Item = Record<string, AttributeValue>;

/** Thrown if other writers keep changing the same item; the caller retries later. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';

  constructor(attempts: number) {
    super(`an item changed ${attempts} times while it was being written`);
  }
}

/** The settings of the writers. */
export interface HistorySettings {
  readonly retentionDays: number;
  /** The number of keys among which each list is split. One key accepts 1,000 writes a second. */
  readonly listShards: number;
}

/** The keys of messages and replies begin with these. */
export const messagePrefix = 'message#';
export const replyPrefix = 'reply#';

/** Limit of a partition key in bytes of UTF-8. An id that does not fit, or is not valid text, is keyed by its hash. */
const maxKeyBytes = 2048;

/** The keys of receipts of erasures begin with this. */
export const erasurePrefix = 'erasure#';

export const messageKey = (messageId: string): string => keyOf(messagePrefix, messageId);
export const replyKey = (replyId: string): string => keyOf(replyPrefix, replyId);

/**
 * Returns the key of a list's entry in the index `byList` or `bySend`: the name of the list. Where lists are split, it ends with the number of
 * the shard, except for the first one, so that the number of shards may grow.
 *
 * @param id decides the shard
 */
export function listKey(
  list: string,
  id: string,
  { listShards }: Pick<HistorySettings, 'listShards'>,
): string {
  return shardKey(list, shardOf(id, listShards));
}

/** Returns every key of a list. */
export function listKeys(list: string, listShards: number): readonly string[] {
  return Array.from({ length: listShards }, (_, shard) => shardKey(list, shard));
}

const shardKey = (list: string, shard: number): string => (shard === 0 ? list : `${list}#${shard}`);

export const failedList = (day: string): string => `failed#${day}`;
/** Messages marked unknown: the service says so, or gave no final report in time. */
export const unknownList = (day: string): string => `unknown#${day}`;
export const pendingList = 'pending';
export const repliesList = (day: string): string => `replies#${day}`;
export const optedOutList = 'opted-out';
/** The key in the index `bySend` of replies that have versions of several numbers. The index `byNumber` has only one of them. */
export const sharedRepliesList = 'replies-of-several-numbers';
export const erasuresList = 'erasures';

/**
 * The indexes of the history table: the attributes of their keys, which are texts, and the attributes that they repeat of each item.
 * The second attribute of each key is a time. `byNumber` answers by itself what happened to the messages to a number. The others repeat
 * only what does not change while an item keeps its place, because each change of a repeated attribute is a write.
 */
export const historyIndexes = {
  byNumber: {
    partition: 'phone',
    sort: 'firstSeenAt',
    repeats: ['status', 'statusAt', 'errorReason', 'errorCode', 'sendId', 'text'],
  },
  bySend: { partition: 'sendList', sort: 'firstSeenAt', repeats: ['phone'] },
  byList: {
    partition: 'listName',
    sort: 'listedAt',
    repeats: ['phone', 'sendId', 'errorReason', 'errorCode', 'text'],
  },
} as const;

/** Returns the one key of a number in the index `byNumber` and in the register. Digits that may be two numbers are their own key. */
export function numberKey(phone: string): string {
  return phoneKey(phone).toWellFormed();
}

/** Thrown for an item that the pipeline did not write. The message names attributes, never their values. */
export class UnreadableItemError extends Error {
  override readonly name: string = 'UnreadableItemError';
}

/** Returns what `read` does; undefined if the item cannot be read. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

/** @throws UnreadableItemError */
export function textIn(item: Item, name: string): string {
  const text = item[name]?.S;
  if (text === undefined) throw new UnreadableItemError(`item: no text in ${name}`);
  return text;
}

/** @throws UnreadableItemError */
function numberIn(item: Item, name: string): number {
  const number = item[name]?.N;
  if (number === undefined) throw new UnreadableItemError(`item: no number in ${name}`);
  return Number(number);
}

/**
 * The attribute that is true of an item whose last write publishes nothing, because what it added was received elsewhere or long ago. Every other
 * write removes it.
 */
export const quietAttribute = 'quiet';

/** Returns the epoch seconds at which DynamoDB may delete an item. */
export function expiryOf(receivedAt: string, retentionDays: number): number {
  return Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * 86_400;
}

/**
 * Returns the epoch seconds at which DynamoDB may delete an item: counted from the event that was received last, and never earlier than the
 * item's own expiry.
 *
 * @param entries the events that the write knows of
 * @param read the state of the existing item, if it is known
 */
export function latestExpiry(
  entries: readonly { readonly receivedAt: string }[],
  { retentionDays }: HistorySettings,
  read?: ItemState,
): number {
  return Math.max(
    read?.expiresAt ?? 0,
    ...entries.map(({ receivedAt }) => expiryOf(receivedAt, retentionDays)),
  );
}

/** Spreads ids evenly over `shards` keys. The same id always has the same key. */
function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % shards;
}

export function keyOf(prefix: string, id: string): string {
  const key = prefix + id;
  if (id.isWellFormed() && Buffer.byteLength(key) <= maxKeyBytes) return key;
  return prefix + hashed(id);
}

/** The hash of an id begins with it. */
export const hashPrefix = 'sha256:';

const hashed = (id: string): string =>
  `${hashPrefix}${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`;
