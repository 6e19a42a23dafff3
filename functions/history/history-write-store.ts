import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  type PutItemCommandInput,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { areCopies } from '../../contract/events/equal-replies.ts';
import { failedPartRank } from '../../contract/schema/sms-event.ts';
import {
  type Condition,
  ContentionError,
  type HistorySettings,
  type Item,
  latestExpiry,
  messageKey,
  type NewGeneration,
  randomGeneration,
  replyKey,
  type StoredMessage,
  stateOf,
  unchangedCondition,
} from './item-keys.ts';
import {
  asStored,
  type Changes,
  changesOf,
  compareEntries,
  costAndRouteNames,
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
  messageFromItem,
  messageItem,
  optionalStateAttributes,
  reportAttributes,
  reportName,
  stateAttributes,
} from './message-item.ts';
import { replyFromItem, replyItem } from './reply-item.ts';
import { readByRefusedUpdate } from './write-only-read-store.ts';

/** The parts of an UpdateItem that depend on the message. */
export type MessageUpdate = Pick<
  UpdateItemCommandInput,
  | 'Key'
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

/** With more events in the condition of one write, it would exceed the 4 KB of an expression. */
const maxEventsInCondition = 20;

/**
 * Returns a write of a message that was not read before. It creates the message, or replaces the state of a message that the new events
 * decide. The condition fails if they do not decide, if one of them is stored already, if the message has no room, if the number
 * or the send differs, if a stored report may decide the cost or the route, and if the item would expire earlier. Then
 * {@link putMessage} writes with the item known.
 */
export function upsertMessage(
  message: Message,
  generation: string,
  settings: HistorySettings,
): MessageUpdate {
  const entries = [...message.events.values()];
  const deciding = decidingEntry(message);
  const state = stateAttributes(message, settings);
  // A message that stays pending keeps its place in the list.
  const { listedAt, ...replaced } = state;
  const isPending = !isFinal(deciding);
  const written: Item = {
    ...(isPending ? replaced : state),
    ...reportAttributes(entries),
    generation: { S: generation },
    expiresAt: { N: String(latestExpiry(entries, settings)) },
  };
  // Index keys that never change after the first write add no cost to later writes.
  const kept: Item = {
    firstSeenAt: { S: message.firstSeenAt },
    ...(isPending && listedAt && { listedAt }),
  };
  const names = new Map<string, string>();
  const values: Item = {};
  const attributeName = (attribute: string) => {
    const known = names.get(attribute) ?? `#a${names.size}`;
    names.set(attribute, known);
    return known;
  };
  const valueName = (value: AttributeValue) => {
    const name = `:v${Object.keys(values).length}`;
    values[name] = value;
    return name;
  };
  const set = [
    ...Object.entries(written).map(([name, value]) => `${attributeName(name)} = ${valueName(value)}`),
    ...Object.entries(kept).map(
      ([name, value]) =>
        `${attributeName(name)} = if_not_exists(${attributeName(name)}, ${valueName(value)})`,
    ),
  ];
  const remove = optionalStateAttributes.filter((name) => !(name in written || name in kept));
  const isMissing = (name: string) => `attribute_not_exists(${attributeName(name)})`;
  const isSame = (name: string, value: AttributeValue | undefined) =>
    value === undefined ? isMissing(name) : `${attributeName(name)} = ${valueName(value)}`;
  const isNew = isMissing('pk');
  // A stored report may say that the part that failed was delivered.
  const mayDecide = deciding.rank !== failedPartRank;
  const isConditionShort = entries.length <= maxEventsInCondition && mayDecide;
  const conditions = () => {
    const rank = attributeName('rank');
    const newRank = valueName(state.rank ?? { N: '0' });
    // putMessage decides between equal times, and where a look-up or an import has the rank of the stored state.
    const isLater =
      deciding.origin === undefined
        ? [
            `(${rank} = ${newRank} AND ${attributeName('statusAt')} < ${valueName(state.statusAt ?? { S: '' })})`,
          ]
        : [];
    return [
      // As compareEntries orders them.
      `(${[`${rank} < ${newRank}`, ...isLater].join(' OR ')})`,
      `${attributeName('reportCount')} <= ${valueName({ N: String(maxEventsPerMessage - entries.length) })}`,
      `${attributeName('expiresAt')} <= ${valueName(written.expiresAt ?? { N: '0' })}`,
      ...entries.map(({ eventId }) => isMissing(reportName(eventId))),
      ...(message.phone === undefined
        ? []
        : [
            `(${isMissing('phone')} OR (${isSame('phone', state.phone)} AND ${isSame('phoneAsWritten', state.phoneAsWritten)}))`,
          ]),
      ...(message.sendId === undefined
        ? []
        : [`(${isMissing('sendList')} OR ${isSame('sendList', state.sendList)})`]),
      // Only the deciding report outranks every stored one.
      ...[...costAndRouteNames, 'channel' as const]
        .filter((name) => name in state && deciding[name] === undefined)
        .map(isMissing),
    ];
  };
  const condition = isConditionShort ? `${isNew} OR (${conditions().join(' AND ')})` : isNew;
  const removed = remove.length === 0 ? '' : ` REMOVE ${remove.map(attributeName).join(', ')}`;
  return {
    Key: { pk: { S: messageKey(message.messageId) } },
    UpdateExpression: `SET ${set.join(', ')}${removed} ADD ${attributeName('reportCount')} ${valueName({ N: String(entries.length) })}`,
    ConditionExpression: condition,
    ExpressionAttributeNames: Object.fromEntries([...names].map(([attribute, name]) => [name, attribute])),
    ExpressionAttributeValues: values,
  };
}

/**
 * Returns a write of a message whose item is known. The condition fails if the item has changed since.
 *
 * @param merged the known message joined with the new events
 * @param read the known message, with the state of its item
 */
export function putMessage(
  merged: Message,
  read: StoredMessage,
  generation: string,
  settings: HistorySettings,
): Pick<PutItemCommandInput, 'Item'> & Condition {
  const expiresAt = latestExpiry([...merged.events.values()], settings, read);
  // The position in lists is that of the report that was stored first.
  const message = { ...merged, firstSeenAt: read.firstSeenAt };
  return {
    Item: { ...messageItem(message, generation, expiresAt, settings), pk: { S: read.pk } },
    ...unchangedCondition(read),
  };
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

/** Stores delivery history. Both calls are idempotent, and no write is partial. Any failure other than `unstorable` throws. */
export interface HistoryWriter {
  storeMessage(message: Message): Promise<StoreOutcome>;
  /** @param copyIds the ids under which copies of the reply may be stored. If there is one, it stays, and nothing is stored */
  storeReply(reply: Reply, copyIds?: readonly string[]): Promise<ReplyOutcome>;
}

const maxAttempts = 8;

/** Stores history in the DynamoDB table: one item for each message and each reply. */
export function createHistoryWriter(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
  newGeneration: NewGeneration = randomGeneration,
): HistoryWriter {
  /** Repeats a write with the newest state of its item if another writer has changed the item in between, a few times. */
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
        const { fitting, added, replaced, refused, repeated } = planWrite(message, old);
        const target = { TableName: tableName, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
        if (old === undefined) {
          const update = upsertMessage(fitting, newGeneration(), settings);
          await client.send(new UpdateItemCommand({ ...target, ...update }));
        } else {
          const merged = mergeMessages(fitting, old);
          const isChange =
            added.length + replaced.length > 0 || (repeated > 0 && !isAddressedAlike(merged, old));
          if (isChange) {
            const put = putMessage(merged, old, newGeneration(), settings);
            await client.send(new PutItemCommand({ ...target, ...put }));
          }
        }
        return { kind: 'stored', stored: added.length, repeated, refused };
      }),

    async storeReply(reply, copyIds = []) {
      for (const id of copyIds) {
        const item = await readByRefusedUpdate(client, tableName, replyKey(id));
        const copy = item && replyFromItem(item);
        if (copy !== undefined && areCopies(copy.current.receivedAt, reply.current.receivedAt))
          return { kind: 'stored', stored: 0, repeated: 1, refused: [], reply: copy };
      }
      return store(async (item): Promise<ReplyOutcome> => {
        const old = item && { reply: replyFromItem(item), state: stateOf(item) };
        const merged = old === undefined ? reply : mergeReplies(reply, old.reply);
        // A part decides nothing alone.
        const arrived = merged.current.parts === undefined ? asStored(reply, merged) : merged;
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
        const repeated = versionsOf(reply).size - stored;
        return { kind: 'stored', stored, repeated, refused: [], reply: arrived };
      });
    },
  };
}

/** Returns whether two views of a message have the same number and send, as the database keeps them. */
function isAddressedAlike(a: Message, b: Message | undefined): boolean {
  return (['phone', 'sendId'] as const).every(
    (name) => a[name]?.toWellFormed() === b?.[name]?.toWellFormed(),
  );
}

/** What a write does with the events of a message. */
interface PlannedWrite extends Changes<StatusEntry> {
  /** The message without the events that are refused. */
  readonly fitting: Message;
  /** Ids of the events beyond the limit. */
  readonly refused: readonly string[];
  /** How many of the events are known, with this content or another. */
  readonly repeated: number;
}

/** Decides which events of a message are written: those that are new and fit, and those that are known. The others are beyond the limit. */
function planWrite(message: Message, old: Message | undefined): PlannedWrite {
  const { added: fresh, replaced } = changesOf(message.events.values(), old?.events);
  const byDecision = [...fresh].sort((a, b) => compareEntries(b, a));
  const free = Math.max(0, maxEventsPerMessage - (old?.events.size ?? 0));
  // A full message still accepts an event that raises its rank. There are few ranks, so it exceeds the limit by a few events at most.
  const [best] = byDecision;
  const outranks =
    old !== undefined &&
    best !== undefined &&
    best.rank > decidingEntry(old).rank &&
    decidingEntry({ ...old, events: new Map(old.events).set(best.eventId, best) }) === best;
  const room = free === 0 && outranks ? 1 : free;
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
