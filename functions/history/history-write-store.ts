import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  ContentionError,
  entryValue,
  eventAttribute,
  type HistorySettings,
  type Item,
  type ItemState,
  latestExpiry,
  messageAttributes,
  messageFromItem,
  messageKey,
  type NewGeneration,
  nextVersion,
  randomGeneration,
  replyFromItem,
  replyItem,
  stateOf,
  unchangedCondition,
} from './history-item-store.ts';
import {
  asStored,
  type Changes,
  changesOf,
  compareEntries,
  decidingEntry,
  type Message,
  maxEventsPerMessage,
  mergeMessages,
  mergeReplies,
  type Reply,
  type StatusEntry,
  versionsOf,
} from './message.ts';

/** The parts of an UpdateItem that depend on the message. */
export type MessageUpdate = Pick<
  UpdateItemCommandInput,
  | 'Key'
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

/** With more events in one write, the condition would exceed the 4 KB of an expression. */
const maxBlindEvents = 20;

/**
 * Returns a write of a message that was not read before. It creates the message, or replaces the state of a message that the new events
 * decide. The condition fails where they do not decide, where one of them is stored already, where the message has no room, where the phone
 * (its key or its spelling) or the send differs, and where the item would expire earlier. Then {@link joinMessage} writes with the item known.
 *
 * @param newGeneration for an item that has none: a new one, or one that an earlier version of the pipeline wrote
 */
export function upsertMessage(
  message: Message,
  newGeneration: string,
  settings: HistorySettings,
): MessageUpdate {
  const entries = [...message.events.values()];
  const update = write(
    message,
    entries,
    settings,
    [
      '#eventCount = if_not_exists(#eventCount, :none) + :added',
      '#generation = if_not_exists(#generation, :generation)',
    ],
    {
      ':generation': { S: newGeneration },
      ':none': { N: '0' },
      ':added': { N: String(entries.length) },
    },
  );
  const isNew = 'attribute_not_exists(#pk)';
  const names = {
    ...update.ExpressionAttributeNames,
    ...{ '#pk': 'pk', '#eventCount': 'eventCount', '#generation': 'generation' },
  };
  if (entries.length > maxBlindEvents)
    return { ...update, ConditionExpression: isNew, ExpressionAttributeNames: names };

  const wins =
    '(#rank < :rank OR (#rank = :rank AND (#statusAt < :statusAt OR (#statusAt = :statusAt AND #statusEventId < :statusEventId))))';
  const conditions = [
    wins,
    '#eventCount <= :room',
    '#expiresAt <= :expiresAt',
    ...entries.map((_, index) => `attribute_not_exists(#e${index})`),
    ...(message.phone === undefined
      ? []
      : [
          `(attribute_not_exists(#phone) OR (#phone = :phone AND ${
            isSpelledAsKey(message) ? 'attribute_not_exists(#number)' : '#number = :number'
          }))`,
        ]),
    ...(message.sendId === undefined ? [] : ['(attribute_not_exists(#sendId) OR #sendId = :sendId)']),
  ];
  return {
    ...update,
    ConditionExpression: `${isNew} OR (${conditions.join(' AND ')})`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':room': { N: String(maxEventsPerMessage - entries.length) },
    },
  };
}

/**
 * Returns a write of a message whose item is known. The condition fails where the item has changed since.
 *
 * @param merged the known message joined with the new events
 * @param read the state of the known message's item
 * @param newGeneration for an item that has none, and for a write that adds no event
 */
export function joinMessage(
  merged: Message,
  { added, replaced }: Changes<StatusEntry>,
  read: ItemState,
  newGeneration: string,
  settings: HistorySettings,
): MessageUpdate {
  const assignments = ['#eventCount = :eventCount', '#generation = :generation'];
  const version = nextVersion(read.version, added.length, newGeneration);
  const values = {
    ':eventCount': { N: String(version.eventCount) },
    ':generation': { S: version.generation },
  };
  const update = write(merged, [...added, ...replaced], settings, assignments, values, read);
  const { ConditionExpression, ...condition } = unchangedCondition(read.version);
  return {
    ...update,
    ConditionExpression,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ...condition.ExpressionAttributeValues,
    },
  };
}

function write(
  message: Message,
  entries: readonly StatusEntry[],
  settings: HistorySettings,
  assignments: readonly string[],
  values: Record<string, AttributeValue>,
  read?: ItemState,
): MessageUpdate {
  const attributes = {
    ...messageAttributes(message, settings),
    expiresAt: latestExpiry([...message.events.values()], settings, read),
  };
  const isPending = 'worklist' in attributes && !('listedAt' in attributes);
  const set = [
    ...Object.keys(attributes).map((name) => `#${name} = :${name}`),
    // Index keys that never change after the first write add no cost to later writes.
    '#firstSeenAt = if_not_exists(#firstSeenAt, :firstSeenAt)',
    '#at = if_not_exists(#at, :firstSeenAt)',
    ...(isPending ? ['#listedAt = if_not_exists(#at, :firstSeenAt)'] : []),
    ...assignments,
    ...entries.map((_, index) => `#e${index} = :e${index}`),
  ];
  const remove = [
    ...('worklist' in attributes ? [] : ['#worklist', '#listedAt']),
    ...(isSpelledAsKey(message) ? ['#number'] : []),
  ];
  return {
    Key: { pk: { S: messageKey(message.messageId) } },
    UpdateExpression: `SET ${set.join(', ')}${remove.length === 0 ? '' : ` REMOVE ${remove.join(', ')}`}`,
    ExpressionAttributeNames: Object.fromEntries([
      ...[
        ...Object.keys(attributes),
        ...['firstSeenAt', 'at', 'worklist', 'listedAt'],
        ...(isSpelledAsKey(message) ? ['number'] : []),
      ].map((name) => [`#${name}`, name]),
      ...entries.map((entry, index) => [`#e${index}`, eventAttribute(entry.eventId)]),
    ]),
    ExpressionAttributeValues: {
      ...marshall(Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`:${name}`, value]))),
      ':firstSeenAt': { S: message.firstSeenAt },
      ...values,
      ...Object.fromEntries(entries.map((entry, index) => [`:e${index}`, entryValue(entry)])),
    },
  };
}

/** Returns whether the number is its own key, so that it needs no attribute for its spelling. */
function isSpelledAsKey({ phone }: Message): boolean {
  return phone !== undefined && phone === phoneKey(phone);
}

/** Reports what was stored of one message or reply. */
export type StoreOutcome =
  | {
      readonly kind: 'stored';
      /** Events that are new in history. */
      readonly stored: number;
      /** Events that were stored before, with this content or another. */
      readonly repeated: number;
      /** Ids of the events for which the message has no room. */
      readonly refused: readonly string[];
    }
  /** The database never accepts this item, because it is too large or its key is invalid. A retry does not help. */
  | { readonly kind: 'unstorable' };

/** Reports what was stored of a reply. Versions that were stored before with the same content are as they were stored then. */
type ReplyOutcome =
  | (Extract<StoreOutcome, { readonly kind: 'stored' }> & { readonly reply: Reply })
  | Extract<StoreOutcome, { readonly kind: 'unstorable' }>;

/** Stores delivery history. Both calls may be repeated. Other failures throw, and no write is partial. */
export interface HistoryWriter {
  storeMessage(message: Message): Promise<StoreOutcome>;
  storeReply(reply: Reply): Promise<ReplyOutcome>;
}

const maxAttempts = 8;

/** Stores history in the DynamoDB table: one item for each message and each reply. */
export function createHistoryWriter(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
  newGeneration: NewGeneration = randomGeneration,
): HistoryWriter {
  /** Repeats a write with the newest state of its item until no other writer changes the item in between. */
  async function store<T>(
    write: (known: Item | undefined) => Promise<T>,
  ): Promise<T | { readonly kind: 'unstorable' }> {
    let known: Item | undefined;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      try {
        return await write(known);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) known = error.Item;
        else if (error instanceof DynamoDBServiceException && error.name === 'ValidationException')
          return { kind: 'unstorable' };
        else throw error;
      }
    }
    throw new ContentionError(maxAttempts);
  }

  return {
    storeMessage: (message) =>
      store(async (known): Promise<StoreOutcome> => {
        const old = known && { message: messageFromItem(known), state: stateOf(known) };
        const { fitting, added, replaced, refused, repeated } = sift(message, old?.message);
        const merged = old === undefined ? fitting : mergeMessages(fitting, old.message);
        const isChange =
          added.length + replaced.length > 0 || (repeated > 0 && !isAddressedAlike(merged, old?.message));
        if (isChange) {
          const update =
            old === undefined
              ? upsertMessage(fitting, newGeneration(), settings)
              : joinMessage(merged, { added, replaced }, old.state, newGeneration(), settings);
          await client.send(
            new UpdateItemCommand({
              TableName: tableName,
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...update,
            }),
          );
        }
        return { kind: 'stored', stored: added.length, repeated, refused };
      }),

    storeReply: (reply) =>
      store(async (item): Promise<ReplyOutcome> => {
        const old = item && { reply: replyFromItem(item), state: stateOf(item) };
        const merged = old === undefined ? reply : mergeReplies(reply, old.reply);
        const arrived = asStored(reply, merged);
        const known = old && versionsOf(old.reply);
        const { added, replaced } = changesOf(versionsOf(merged).values(), known);
        if (added.length + replaced.length > 0) {
          const version = nextVersion(old?.state.version, added.length, newGeneration());
          const isNew = {
            ConditionExpression: 'attribute_not_exists(#pk)',
            ExpressionAttributeNames: { '#pk': 'pk' },
          };
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: replyItem(merged, version, settings, old?.state),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...(old === undefined ? isNew : unchangedCondition(old.state.version)),
            }),
          );
        }
        const stored = added.length;
        const repeated = 1 + reply.superseded.size - stored;
        return { kind: 'stored', stored, repeated, refused: [], reply: arrived };
      }),
  };
}

/** Returns whether two views of a message have the same number and send, as the database keeps them. */
function isAddressedAlike(a: Message, b: Message | undefined): boolean {
  return (['phone', 'sendId'] as const).every(
    (name) => a[name]?.toWellFormed() === b?.[name]?.toWellFormed(),
  );
}

/** The events of a message, sorted by what a write does with them. */
interface Sifted extends Changes<StatusEntry> {
  /** The message without the events that are refused. */
  readonly fitting: Message;
  /** Ids of the events beyond the limit. */
  readonly refused: readonly string[];
  /** How many of the events are known, with this content or another. */
  readonly repeated: number;
}

/** Sorts the events of a message into those that are new and fit, those that are known, and those beyond the limit. */
function sift(message: Message, old: Message | undefined): Sifted {
  const { added: fresh, replaced } = changesOf(message.events.values(), old?.events);
  const byDecision = [...fresh].sort((a, b) => compareEntries(b, a));
  const free = Math.max(0, maxEventsPerMessage - (old?.events.size ?? 0));
  // A full message still accepts an event that raises its rank. There are few ranks, so it exceeds the limit by a few events at most.
  const [best] = byDecision;
  const raises = old !== undefined && best !== undefined && best.rank > decidingEntry(old).rank;
  const room = free === 0 && raises ? 1 : free;
  const added = byDecision.slice(0, room);
  const refused = byDecision.slice(room).map((entry) => entry.eventId);
  const known = [...message.events.values()].filter((entry) => old?.events.has(entry.eventId));
  const kept = [...added, ...known];
  return {
    fitting: { ...message, events: new Map(kept.map((entry) => [entry.eventId, entry])) },
    added,
    replaced,
    refused,
    repeated: known.length,
  };
}
