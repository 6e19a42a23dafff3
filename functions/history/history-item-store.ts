import { createHash, randomBytes } from 'node:crypto';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import { defined } from '../runtime/basics.ts';
import {
  decidingEntry,
  isFinal,
  type Message,
  type Reply,
  type ReplyEntry,
  type StatusEntry,
  type TimelineEntry,
} from './message.ts';

/**
 * Identifies one state of an item. Each write adds events, which raises `eventCount`, or gives the item another generation. An item that
 * was deleted and written again has another generation too. So a state that was read before an erasure cannot be written after it.
 */
export interface ItemVersion {
  /** Undefined where an earlier version of the pipeline wrote the item. */
  readonly generation?: string;
  readonly eventCount: number;
}

/** The state of an item, as a write needs it. */
export interface ItemState {
  readonly version: ItemVersion;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A message with the state of its item. */
export interface StoredMessage extends Message, ItemState {}

/** Returns a value that no item had before. */
export type NewGeneration = () => string;

/** Returns 72 random bits as 12 characters. They are few because every item is billed for them. */
export const randomGeneration: NewGeneration = () => randomBytes(9).toString('base64url');

export function stateOf(item: Readonly<Record<string, AttributeValue>>): ItemState {
  const { generation, eventCount, expiresAt } = item;
  return {
    version: defined({ generation: generation?.S, eventCount: Number(eventCount?.N ?? 0) }),
    expiresAt: Number(expiresAt?.N ?? 0),
  };
}

/**
 * Returns the version of an item after a write. A write that adds no event replaces the content of one. It gives the item a new
 * generation, so that no two states of an item have the same version.
 *
 * @param read undefined where the item is new
 * @param added how many events the write adds
 */
export function nextVersion(
  read: ItemVersion | undefined,
  added: number,
  newGeneration: string,
): Required<ItemVersion> {
  const { generation = newGeneration, eventCount = 0 } = read ?? {};
  return { generation: added === 0 ? newGeneration : generation, eventCount: eventCount + added };
}

export type Condition = Required<
  Pick<
    UpdateItemCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >
>;

/** Returns the condition that an item is still as it was read. */
export function unchangedCondition({ generation, eventCount }: ItemVersion): Condition {
  const isSameGeneration =
    generation === undefined ? 'attribute_not_exists(#generation)' : '#generation = :readGeneration';
  return {
    ConditionExpression: `#eventCount = :readCount AND ${isSameGeneration}`,
    ExpressionAttributeNames: { '#eventCount': 'eventCount', '#generation': 'generation' },
    ExpressionAttributeValues: {
      ':readCount': { N: String(eventCount) },
      ...(generation === undefined ? {} : { ':readGeneration': { S: generation } }),
    },
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

/** The attributes of events begin with this. */
export const eventPrefix = 'event#';

/** The keys of messages and replies begin with these. */
export const messagePrefix = 'message#';
export const replyPrefix = 'reply#';

/** Limit of a partition key in bytes of UTF-8. An id that does not fit, or is not valid text, is keyed by its hash. */
const maxKeyBytes = 2048;

export const messageKey = (messageId: string): string => keyOf(messagePrefix, messageId);
export const replyKey = (replyId: string): string => keyOf(replyPrefix, replyId);
/** Returns the index key of one shard of a send's messages. */
export const sendPartition = (sendId: string, shard: number): string =>
  `${keyOf('send#', sendId, maxKeyBytes - '#255'.length)}#${shard}`;
export const eventAttribute = (eventId: string): string => eventPrefix + eventId;

/**
 * Returns the top-level attributes of a message: its state and its index keys. `worklist` is absent for a message that arrived. `phone` is
 * the number's key, and `number` its spelling where that differs. history-write-store.ts adds `listedAt` of a pending message, which
 * only the item has.
 */
export function messageAttributes(
  message: Message,
  { worklistShards }: HistorySettings,
): Record<string, string | number | boolean> {
  const deciding = decidingEntry(message);
  const shard = shardOf(message.messageId, worklistShards);
  const outcome = outcomeOf(deciding.rank);
  return wellFormed({
    messageId: message.messageId,
    ...numberAttributes(message.phone),
    ...(message.sendId !== undefined && {
      sendId: message.sendId,
      sendKey: sendPartition(message.sendId, shard),
    }),
    status: deciding.status,
    rank: deciding.rank,
    statusAt: deciding.occurredAt,
    statusEventId: deciding.eventId,
    final: isFinal(deciding),
    ...(outcome === 'open' && { worklist: `pending#${shard}` }),
    ...(outcome === 'failure' && {
      worklist: `failed#${deciding.occurredAt.slice(0, 10)}#${shard}`,
      listedAt: deciding.occurredAt,
    }),
  });
}

function numberAttributes(phone: string | undefined) {
  if (phone === undefined) return {};
  const key = phoneKey(phone);
  return { phone: key, ...(phone === key ? {} : { number: phone }) };
}

/** Returns a report, or a version of a reply, as the value of its attribute. */
export function entryValue(entry: StatusEntry | ReplyEntry): AttributeValue {
  const { eventId, ...fields } = entry;
  return { M: marshall(wellFormed(fields)) };
}

export function messageFromItem(item: Item): Message {
  const { messageId, phone: key, number: phone = key, sendId, firstSeenAt } = unmarshall(item);
  return { messageId, ...defined({ phone, sendId }), firstSeenAt, events: eventsOf<StatusEntry>(item) };
}

/**
 * Returns the whole item of a reply. `at`, `phone`, `worklist` and `listedAt` are its index keys.
 *
 * @param version the item's version after the write
 * @param read the state of the existing item, if there is one
 */
export function replyItem(
  reply: Reply,
  version: Required<ItemVersion>,
  settings: HistorySettings,
  read?: ItemState,
): Item {
  const { standing, superseded, replyId } = reply;
  const shard = shardOf(replyId, settings.worklistShards);
  return {
    ...marshall(
      wellFormed({
        pk: replyKey(replyId),
        replyId,
        ...standing,
        phone: phoneKey(standing.from),
        at: standing.occurredAt,
        worklist: `reply#${standing.occurredAt.slice(0, 10)}#${shard}`,
        listedAt: standing.occurredAt,
        ...version,
        expiresAt: latestExpiry([standing, ...superseded.values()], settings, read),
      }),
    ),
    ...Object.fromEntries(
      [...superseded].map(([eventId, entry]) => [eventAttribute(eventId), entryValue(entry)]),
    ),
  };
}

export function replyFromItem(item: Item): Reply {
  const { replyId, eventId, messageId, from, to, text, occurredAt, receivedAt, original } = unmarshall(item);
  return {
    replyId,
    standing: { eventId, from, text, occurredAt, receivedAt, ...defined({ messageId, to, original }) },
    superseded: eventsOf<ReplyEntry>(item),
  };
}

/** Reads the item of a message or a reply. */
export function timelineEntryFromItem(item: Item): TimelineEntry {
  return item.pk?.S?.startsWith(replyPrefix) === true
    ? { kind: 'reply', reply: replyFromItem(item) }
    : { kind: 'message', message: messageFromItem(item) };
}

/** Returns the epoch seconds at which DynamoDB may delete an item. */
export function expiryOf(receivedAt: string, retentionDays: number): number {
  return Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * 86_400;
}

/**
 * Returns the epoch seconds at which DynamoDB may delete an item: counted from the event that was received last, and never earlier than
 * the item's own expiry.
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

function eventsOf<E extends { readonly eventId: string }>(item: Item): Map<string, E> {
  const entries = Object.entries(item).filter(([name]) => name.startsWith(eventPrefix));
  return new Map(
    entries.map(([name, value]) => {
      const eventId = name.slice(eventPrefix.length);
      return [eventId, { eventId, ...unmarshall(value.M ?? {}) } as E];
    }),
  );
}

export function keyOf(prefix: string, id: string, maxBytes = maxKeyBytes): string {
  const key = prefix + id;
  if (id.isWellFormed() && Buffer.byteLength(key) <= maxBytes) return key;
  return `${prefix}sha256:${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`;
}

/** Replaces lone surrogates by U+FFFD, because DynamoDB keeps UTF-8 only. The event's `original` still has them. */
function wellFormed<T extends Record<string, string | number | boolean>>(fields: T): T {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return Object.fromEntries(entries);
}
