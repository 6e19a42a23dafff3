import { createHash, randomBytes } from 'node:crypto';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { phoneKey, phoneSpellings } from '../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import {
  decidingEntry,
  isFinal,
  type Message,
  type Reply,
  type ReplyEntry,
  type StatusEntry,
} from './message.ts';

/**
 * Tells one state of an item of the history from every other. Each write adds events, which raises `eventCount`, or gives the
 * item another generation. An item that was deleted and made again has another generation too, so nothing that was read
 * before an erasure can be written after it.
 */
export interface ItemVersion {
  /** Undefined where the version of the pipeline before wrote the item. */
  readonly generation?: string;
  readonly eventCount: number;
}

/** What a write needs to know of the item that it changes. */
export interface ItemState {
  readonly version: ItemVersion;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A message as it was read, with the state of its item. */
export interface StoredMessage extends Message, ItemState {}

/** Makes a value that no item had before. */
export type NewGeneration = () => string;

/** 72 random bits, as 12 characters: every item is billed for them. */
export const randomGeneration: NewGeneration = () => randomBytes(9).toString('base64url');

export function stateOf(item: Readonly<Record<string, AttributeValue>>): ItemState {
  const { generation, eventCount, expiresAt } = item;
  return {
    version: {
      ...(generation?.S === undefined ? {} : { generation: generation.S }),
      eventCount: Number(eventCount?.N ?? 0),
    },
    expiresAt: Number(expiresAt?.N ?? 0),
  };
}

/**
 * The version of an item after a write. A write that adds no event, because it replaces a content, gives the item a new
 * generation, so that no two states of it have one version.
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

type Condition = Required<
  Pick<
    UpdateItemCommandInput,
    'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
  >
>;

/** The condition of a write that the item still is as it was read. */
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

/** What the writers need to know beyond the events. */
export interface HistorySettings {
  readonly retentionDays: number;
  /** How many keys share a day's, a state's or a send's list, so that no partition takes all its writes. */
  readonly worklistShards: number;
}

const eventPrefix = 'event#';

/** A partition key holds 2,048 bytes of UTF-8; an id that does not fit, or is no valid text, is keyed by its hash. */
const maximumKeyBytes = 2048;

export const messageKey = (messageId: string): string => keyOf('message#', messageId);
export const replyKey = (replyId: string): string => keyOf('reply#', replyId);
/** Where the register writes what a number said. */
export const optOutKey = (phone: string): string => keyOf('optout#', phoneKey(phone));
/** The keys under which the register may hold these spellings of a number; versions before kept each spelling apart. */
export const optOutKeys = (spellings: readonly string[]): string[] => [
  ...new Set([...spellings.map(optOutKey), ...spellings.map((spelling) => keyOf('optout#', spelling))]),
];
/**
 * The keys under which the register may hold a number, today's first. Digits alone are stored only where they are no number that the
 * library knows; should the service write them with "+" as well, both are one number.
 */
export const registerKeysOf = (phone: string): string[] => [
  ...new Set(optOutKeys([phone, ...phoneSpellings(/^[1-9]\d{6,14}$/.test(phone) ? `+${phone}` : phone)])),
];
/** The key under which a share of a send's messages is listed. */
export const sendPartition = (sendId: string, shard: number): string =>
  `${keyOf('send#', sendId, maximumKeyBytes - '#255'.length)}#${shard}`;
export const eventAttribute = (eventId: string): string => eventPrefix + eventId;

/**
 * The top-level attributes of a message: its state and its place in the indexes. `worklist` is absent when done. `phone` is the
 * number's key, and `number` its spelling where that differs. What `listedAt` of a pending message is, the item itself knows: see
 * message-update.ts.
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
    ...(message.sendId === undefined
      ? {}
      : { sendId: message.sendId, sendKey: sendPartition(message.sendId, shard) }),
    status: deciding.status,
    rank: deciding.rank,
    statusAt: deciding.occurredAt,
    statusEventId: deciding.eventId,
    final: isFinal(deciding),
    ...(outcome === 'open' ? { worklist: `pending#${shard}` } : {}),
    ...(outcome === 'failure'
      ? {
          worklist: `failed#${deciding.occurredAt.slice(0, 10)}#${shard}`,
          listedAt: deciding.occurredAt,
        }
      : {}),
  });
}

function numberAttributes(phone: string | undefined) {
  if (phone === undefined) return {};
  const key = phoneKey(phone);
  return { phone: key, ...(phone === key ? {} : { number: phone }) };
}

/** One report as an attribute's value. */
export function entryValue(entry: StatusEntry | ReplyEntry): AttributeValue {
  const { eventId, ...fields } = entry;
  return { M: marshall(wellFormed(fields)) };
}

export function messageFromItem(item: Item): Message {
  const { messageId, phone: key, number: phone = key, sendId, firstSeenAt } = unmarshall(item);
  return {
    messageId,
    ...(phone === undefined ? {} : { phone }),
    ...(sendId === undefined ? {} : { sendId }),
    firstSeenAt,
    events: eventsOf<StatusEntry>(item),
  };
}

/**
 * The whole item of a reply; `at`, `phone`, `worklist` and `listedAt` place it in the indexes.
 *
 * @param version the item's version once it is written
 * @param read the item as it is, where there is one
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
  const optional = Object.fromEntries(
    Object.entries({ messageId, to, original }).filter(([, value]) => value !== undefined),
  );
  return {
    replyId,
    standing: { eventId, from, text, occurredAt, receivedAt, ...optional },
    superseded: eventsOf<ReplyEntry>(item),
  };
}

/** Epoch seconds at which DynamoDB may delete an item. */
export function expiryOf(receivedAt: string, retentionDays: number): number {
  return Math.floor(Date.parse(receivedAt) / 1000) + retentionDays * 86_400;
}

/**
 * Epoch seconds at which DynamoDB may delete an item: after the event that was received last, and never before the time that the
 * item has already.
 *
 * @param entries the events that the write knows of
 * @param read the item as it is, where it is known
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

/** Spreads ids evenly over `shards` keys; the same id always falls on the same one. */
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

function keyOf(prefix: string, id: string, maximumBytes = maximumKeyBytes): string {
  const key = prefix + id;
  if (id.isWellFormed() && Buffer.byteLength(key) <= maximumBytes) return key;
  return `${prefix}sha256:${createHash('sha256').update(JSON.stringify(id)).digest('hex')}`;
}

/** DynamoDB keeps UTF-8 only: a lone surrogate becomes U+FFFD (the event's `original` still has it). */
function wellFormed<T extends Record<string, string | number | boolean>>(fields: T): T {
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return Object.fromEntries(entries);
}
