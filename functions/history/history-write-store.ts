import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import {
  type Condition,
  ContentionError,
  type HistorySettings,
  type Item,
  latestExpiry,
  messageKey,
  type NewGeneration,
  randomGeneration,
  type StoredMessage,
  stateOf,
  unchangedCondition,
} from './history-item-store.ts';
import {
  asStored,
  type Changes,
  changesOf,
  compareEntries,
  decidingEntry,
  isFinal,
  type Message,
  maxEventsPerMessage,
  mergeMessages,
  mergeReplies,
  type Reply,
  type StatusEntry,
  versionsOf,
} from './message.ts';
import {
  elementsPerReport,
  messageFromItem,
  messageItem,
  reportElements,
  stateAttributes,
  timeAttribute,
} from './message-item.ts';
import { packId } from './packed.ts';
import { replyFromItem, replyItem } from './reply-item.ts';

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
 * (its key or its spelling) or the send differs, and where the item would expire earlier. Then {@link joinMessage} writes with the item
 * known.
 */
export function upsertMessage(
  message: Message,
  generation: Uint8Array,
  settings: HistorySettings,
): MessageUpdate {
  const entries = [...message.events.values()];
  const attributes: Item = {
    ...stateAttributes(message, settings),
    g: { B: generation },
    expiresAt: { N: String(latestExpiry(entries, settings)) },
  };
  const set = [
    ...Object.keys(attributes).map((name) => `#${name} = :${name}`),
    // Index keys that never change after the first write add no cost to later writes.
    '#t = if_not_exists(#t, :t)',
    '#e = list_append(if_not_exists(#e, :none), :added)',
  ];
  const remove = [
    // A message that is still pending stays in the list if the sweep has listed it.
    ...('worklist' in attributes || !isFinal(decidingEntry(message)) ? [] : ['worklist', 'listedAt']),
    ...(isSpelledAsKey(message) ? ['number'] : []),
  ];
  const isNew = 'attribute_not_exists(#pk)';
  const isBlind = entries.length <= maxBlindEvents;
  const isSameOrNone = (name: string) => `(attribute_not_exists(#${name}) OR #${name} = :${name})`;
  const conditions = [
    '#w < :w',
    'size(#e) <= :room',
    '#expiresAt <= :expiresAt',
    ...entries.map((_, index) => `NOT contains(#e, :id${index})`),
    ...(message.phone === undefined
      ? []
      : [
          `(attribute_not_exists(#n) OR (#n = :n AND ${
            isSpelledAsKey(message) ? 'attribute_not_exists(#number)' : '#number = :number'
          }))`,
        ]),
    ...(message.sendId === undefined ? [] : [isSameOrNone('l')]),
  ];
  const names = [...Object.keys(attributes), ...remove, 'pk', 't', 'e'];
  const values = Object.entries(attributes).map(([name, value]) => [`:${name}`, value] as const);
  return {
    Key: { pk: { S: messageKey(message.messageId) } },
    UpdateExpression: `SET ${set.join(', ')}${
      remove.length === 0 ? '' : ` REMOVE ${remove.map((name) => `#${name}`).join(', ')}`
    }`,
    ConditionExpression: isBlind ? `${isNew} OR (${conditions.join(' AND ')})` : isNew,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ':t': timeAttribute(message.firstSeenAt),
      ':none': { L: [] },
      ':added': { L: reportElements(entries) },
      ...(isBlind && {
        ':room': { N: String((maxEventsPerMessage - entries.length) * elementsPerReport) },
        ...Object.fromEntries(entries.map(({ eventId }, index) => [`:id${index}`, { B: packId(eventId) }])),
      }),
    },
  };
}

/**
 * Returns a write of a message whose item is known. The condition fails where the item has changed since.
 *
 * @param merged the known message joined with the new events
 * @param read the known message, with the state of its item
 */
export function joinMessage(
  merged: Message,
  read: StoredMessage,
  generation: Uint8Array,
  settings: HistorySettings,
): Pick<PutItemCommandInput, 'Item'> & Condition {
  const expiresAt = latestExpiry([...merged.events.values()], settings, read);
  // The position in lists is that of the report that was stored first.
  const message = { ...merged, firstSeenAt: read.firstSeenAt };
  return {
    Item: messageItem(message, generation, expiresAt, settings, read.isListedPending),
    ...unchangedCondition(read),
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
        const old = known && { ...messageFromItem(known), ...stateOf(known) };
        const { fitting, added, replaced, refused, repeated } = sift(message, old);
        const target = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
        if (old === undefined) {
          const update = upsertMessage(fitting, newGeneration(), settings);
          await client.send(new UpdateItemCommand({ ...target, ...update }));
        } else {
          const merged = mergeMessages(fitting, old);
          const isChange =
            added.length + replaced.length > 0 || (repeated > 0 && !isAddressedAlike(merged, old));
          if (isChange) {
            const put = joinMessage(merged, old, newGeneration(), settings);
            await client.send(new PutItemCommand({ ...target, ...put }));
          }
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
          const entries = versionsOf(merged).values();
          const expiresAt = latestExpiry([...entries], settings, old?.state);
          const isNew = {
            ConditionExpression: 'attribute_not_exists(#pk)',
            ExpressionAttributeNames: { '#pk': 'pk' },
          };
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: replyItem(merged, newGeneration(), expiresAt, settings),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...(old === undefined ? isNew : unchangedCondition(old.state)),
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
