import { createHash, randomBytes } from 'node:crypto';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Message } from './message.ts';
import { joined, packId, packList, UnreadableItemError, unpackId } from './packed.ts';

/** The state of an item, as a write needs it. */
export interface ItemState {
  /**
   * Identifies this state of the item. Each write gives the item another generation, and so does an item that was deleted and written again. So
   * a state that was read before an erasure cannot be written after it.
   */
  readonly generation: Uint8Array;
  /** Epoch seconds. */
  readonly expiresAt: number;
  /** Whether it is in the index of pending messages. */
  readonly isListedPending: boolean;
}

/** A message with the state of its item. */
export interface StoredMessage extends Message, ItemState {}

/** Returns a value that no item had before. */
export type NewGeneration = () => Uint8Array;

/** Returns 48 random bits. They are few because every item is billed for them. */
export const randomGeneration: NewGeneration = () => Uint8Array.from(randomBytes(6));

/** @throws UnreadableItemError */
export function stateOf(item: Item): ItemState {
  return {
    generation: bytesIn(item, 'g'),
    expiresAt: numberIn(item, 'expiresAt'),
    isListedPending: item.worklist?.S?.startsWith(pendingPrefix) === true,
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
    ConditionExpression: '#g = :read',
    ExpressionAttributeNames: { '#g': 'g' },
    ExpressionAttributeValues: { ':read': { B: generation } },
  };
}

export type Item = Record<string, AttributeValue>;

/** Thrown where other writers keep changing the same item; the caller retries later. */
export class ContentionError extends Error {
  override readonly name = 'ContentionError';

  constructor(attempts: number) {
    super(`an item changed ${attempts} times while it was being written`);
  }
}

/** The settings of the writers. */
export interface HistorySettings {
  readonly retentionDays: number;
  /** The number of keys among which the list of a day, a state or a send is split, so that no partition takes all its writes. */
  readonly worklistShards: number;
}

/** The keys of pending messages in the index byWorklist begin with this. */
export const pendingPrefix = 'pending#';

/** The keys of messages and replies begin with these. */
export const messagePrefix = 'message#';
export const replyPrefix = 'reply#';

/** Limit of a partition key in bytes of UTF-8. An id that does not fit, or is not valid text, is keyed by its hash. */
const maxKeyBytes = 2048;

export const messageKey = (messageId: string): string => keyOf(messagePrefix, messageId);
export const replyKey = (replyId: string): string => keyOf(replyPrefix, replyId);

/** Returns the id of a message or reply: the item has it where its key holds only a hash. */
export function idOfKey({ pk, id }: Item, prefix: string): string {
  if (id?.S !== undefined) return id.S;
  if (pk?.S === undefined) throw new UnreadableItemError('item: no text in pk');
  return pk.S.slice(prefix.length);
}

/** The key of a list ends with a byte for the shard. A longer id is replaced by its hash, which is 32 bytes. */
const maxListBytes = maxKeyBytes - 1;

/** Returns the key of one shard of a send's messages. */
export function sendKey(sendId: string, shard: number): Uint8Array {
  const packed = packId(sendId);
  return joined(sendId.isWellFormed() && packed.length <= maxListBytes ? packed : hashOf(sendId), shard);
}

/** Returns the send of a key; another text, or undefined, where the key has its hash. */
export function sendOfKey(key: Uint8Array): string | undefined {
  const packed = key.subarray(0, -1);
  return packed.at(-1) === hashForm ? undefined : unpackId(packed);
}

/** Returns the key of one shard of the replies of a day. @param day yyyy-mm-dd */
export function replyDayKey(day: string, shard: number): Uint8Array {
  return joined(packList(Math.max(0, Math.floor(Date.parse(day) / 86_400_000))), shard);
}

/** The last byte of a hashed id, which no packed one has. */
const hashForm = 255;

function hashOf(id: string): Uint8Array {
  return joined(createHash('sha256').update(JSON.stringify(id)).digest(), hashForm);
}

/** @throws UnreadableItemError */
export function bytesIn(item: Item, name: string): Uint8Array {
  const bytes = item[name]?.B;
  if (bytes === undefined) throw new UnreadableItemError(`item: no bytes in ${name}`);
  return bytes;
}

/** @throws UnreadableItemError */
export function numberIn(item: Item, name: string): number {
  const number = item[name]?.N;
  if (number === undefined) throw new UnreadableItemError(`item: no number in ${name}`);
  return Number(number);
}

/** Returns the epoch seconds at which DynamoDB may delete an item. */
export function expiryOf(receivedAt: string, retentionDays: number): number {
  return Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * 86_400;
}

/**
 * Returns the epoch seconds at which DynamoDB may delete an item: counted from the event that was received last, and never earlier than the
 * item's own expiry.
 *
 * @param entries the events that the write knows of
 * @param read the state of the existing item, where it is known
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
export function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32BE(0) % shards;
}

export function keyOf(prefix: string, id: string): string {
  const key = prefix + id;
  if (id.isWellFormed() && Buffer.byteLength(key) <= maxKeyBytes) return key;
  return `${prefix}sha256:${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`;
}
