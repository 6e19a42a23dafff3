import {
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
import { type Changes, changesOf } from './entry.ts';
import {
  type Condition,
  ContentionError,
  type HistorySettings,
  type Item,
  latestExpiry,
  messageKey,
  type NewGeneration,
  quietAttribute,
  randomGeneration,
  replyKey,
  type StoredMessage,
  stateOf,
  unchangedCondition,
} from './item-keys.ts';
import {
  asStored,
  compareEntries,
  costAndRouteNames,
  decidingEntry,
  type Heading,
  importsIn,
  importsOfReply,
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
  importAttributes,
  importedByAttribute,
  messageFromItem,
  messageItem,
  optionalStateAttributes,
  reportAttributes,
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

/** With more events the condition of a write would exceed the 4 KB of an expression. */
const maxEventsInCondition = 20;

/**
 * Returns a write of a message that was not read before. It creates the message, or replaces the state of a message that the new events
 * decide. {@link upsertCondition} is its condition. If it fails, {@link putMessage} writes with the item known.
 *
 * In the expressions `#rank` is the attribute `rank`, and `:rank` is its new value. The same is true of the other attributes. `#report0` is the
 * attribute of the first new report.
 */
export function upsertMessage(
  message: Message,
  generation: string,
  settings: HistorySettings,
): MessageUpdate {
  const entries = [...message.events.values()];
  const state = stateAttributes(message, settings);
  // A message that stays pending keeps its place in the list.
  const { listedAt, ...stateWithoutPlace } = state;
  const isPending = !isFinal(decidingEntry(message));
  const replaced: Item = {
    ...(isPending ? stateWithoutPlace : state),
    ...importAttributes(message),
    generation: { S: generation },
    expiresAt: { N: String(latestExpiry(entries, settings)) },
  };
  // Index keys that never change after the first write add no cost to later writes.
  const kept: Item = {
    firstSeenAt: { S: message.firstSeenAt },
    ...(isPending && listedAt && { listedAt }),
  };
  const removed = [...optionalStateAttributes, quietAttribute].filter(
    (name) => !(name in replaced || name in kept),
  );
  const reports = Object.entries(reportAttributes(entries)).map(([attribute, value], index) => ({
    attribute,
    value,
    placeholder: `report${index}`,
  }));
  const placeholdersOfReports = reports.map(({ placeholder }) => placeholder);

  const setClause = [
    ...[...Object.keys(replaced), ...placeholdersOfReports].map((name) => `#${name} = :${name}`),
    ...Object.keys(kept).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
  ].join(', ');
  const removeClause = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`).join(', ')}`;
  return {
    Key: { pk: { S: messageKey(message.messageId) } },
    ...withPlaceholders(
      {
        UpdateExpression: `SET ${setClause}${removeClause} ADD #reportCount :newReports`,
        ConditionExpression: upsertCondition(message, state, placeholdersOfReports),
      },
      new Map(reports.map(({ placeholder, attribute }) => [placeholder, attribute])),
      {
        ...replaced,
        ...kept,
        ...Object.fromEntries(reports.map(({ placeholder, value }) => [placeholder, value])),
        newReports: { N: String(entries.length) },
        maxReportsBefore: { N: String(maxEventsPerMessage - entries.length) },
      },
    ),
  };
}

/**
 * Returns the text of the condition under which {@link upsertMessage} may write. The message is new, or all of this is true of the stored one:
 *
 * - Its state has a lower rank than the new state, or the same rank and an earlier time, as `compareEntries` orders them.
 * - It has room for the new reports, and has none of them yet.
 * - It does not expire later than the new reports require.
 * - It has the same number and the same send, or none yet.
 * - Neither it nor the new reports are of an import.
 * - It lacks each cost and each route that comes from another new report than the deciding one.
 */
function upsertCondition(message: Message, newState: Item, newReports: readonly string[]): string {
  const newMessageCondition = 'attribute_not_exists(#pk)';
  const deciding = decidingEntry(message);
  // A stored report may say that the part that failed was delivered.
  const isPutAlways = message.events.size > maxEventsInCondition || deciding.rank === failedPartRank;
  if (isPutAlways || message.importedBy !== undefined) return newMessageCondition;

  // If a lookup or an import has the rank of the stored state, and if the times are equal, putMessage decides.
  const decidingCondition =
    deciding.origin === undefined
      ? '(#rank < :rank OR (#rank = :rank AND #statusAt < :statusAt))'
      : '#rank < :rank';
  const spellingCondition =
    'phoneAsWritten' in newState
      ? '#phoneAsWritten = :phoneAsWritten'
      : 'attribute_not_exists(#phoneAsWritten)';
  const numberCondition = `(attribute_not_exists(#phone) OR (#phone = :phone AND ${spellingCondition}))`;
  const sendCondition = '(attribute_not_exists(#sendList) OR #sendList = :sendList)';
  // The deciding report outranks every stored report. Another new report may not, so it must not replace the cost or the route that is stored.
  const fromOtherReports = [...costAndRouteNames, 'channel' as const].filter(
    (name) => name in newState && deciding[name] === undefined,
  );
  const conditions = [
    decidingCondition,
    '#reportCount <= :maxReportsBefore',
    '#expiresAt <= :expiresAt',
    `attribute_not_exists(#${importedByAttribute})`,
    ...newReports.map((placeholder) => `attribute_not_exists(#${placeholder})`),
    ...(message.phone === undefined ? [] : [numberCondition]),
    ...(message.sendId === undefined ? [] : [sendCondition]),
    ...fromOtherReports.map((name) => `attribute_not_exists(#${name})`),
  ];
  return `${newMessageCondition} OR (${conditions.join(' AND ')})`;
}

/**
 * Adds the names and the values that expressions refer to. DynamoDB rejects a name or a value to which no expression refers.
 *
 * @param attributes by their placeholders; without an entry here `#rank` is the attribute `rank`
 * @param values by their placeholders
 */
function withPlaceholders(
  expressions: Required<Pick<MessageUpdate, 'UpdateExpression' | 'ConditionExpression'>>,
  attributes: ReadonlyMap<string, string>,
  values: Item,
): Omit<MessageUpdate, 'Key'> {
  const text = Object.values(expressions).join(' ');
  const usedNames = new Set([...text.matchAll(/#(\w+)/g)].map(([, name = '']) => name));
  const usedValues = new Set([...text.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  return {
    ...expressions,
    ExpressionAttributeNames: Object.fromEntries(
      [...usedNames].map((name) => [`#${name}`, attributes.get(name) ?? name]),
    ),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => (usedValues.has(name) ? [[`:${name}`, value]] : [])),
    ),
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
  const message = asFirstSeen(merged, read);
  return {
    Item: { ...messageItem(message, generation, expiresAt, settings), pk: { S: read.pk } },
    ...unchangedCondition(read),
  };
}

/** Keeps when a message was first seen, which is its position in lists: by the report that was stored first, in all and of each import. */
function asFirstSeen(merged: Message, read: Message): Message {
  const { importedBy, withoutImports } = merged;
  const readWithout = read.importedBy === undefined ? read : read.withoutImports;
  const keep = (heading: Heading, before: Heading | undefined) =>
    before === undefined ? heading : { ...heading, firstSeenAt: before.firstSeenAt };
  return {
    ...merged,
    firstSeenAt: read.firstSeenAt,
    ...(importedBy && {
      importedBy: new Map([...importedBy].map(([id, one]) => [id, keep(one, read.importedBy?.get(id))])),
    }),
    ...(withoutImports && { withoutImports: keep(withoutImports, readWithout) }),
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
  /**
   * @param copyIds the ids under which copies of the reply may be stored. If there is one, it stays, and nothing is stored
   * @param isQuiet whether a write publishes nothing
   */
  storeReply(reply: Reply, copyIds?: readonly string[], isQuiet?: boolean): Promise<ReplyOutcome>;
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
            added.length + replaced.length > 0 ||
            (repeated > 0 && !isAddressedAlike(merged, old)) ||
            importsIn(merged) !== importsIn(old);
          if (isChange) {
            const put = putMessage(merged, old, newGeneration(), settings);
            await client.send(new PutItemCommand({ ...target, ...put }));
          }
        }
        return { kind: 'stored', stored: added.length, repeated, refused };
      }),

    async storeReply(reply, copyIds = [], isQuiet = false) {
      for (const id of copyIds) {
        const item = await readByRefusedUpdate(client, tableName, replyKey(id));
        const copy = item && replyFromItem(item);
        if (copy !== undefined && areCopies(copy.current.receivedAt, reply.current.receivedAt))
          return { kind: 'stored', stored: 0, repeated: 1, refused: [], reply: copy };
      }
      return store(async (item): Promise<ReplyOutcome> => {
        const old = item && { reply: replyFromItem(item), state: stateOf(item) };
        const merged = old === undefined ? reply : mergeReplies(reply, old.reply);
        // A keyword counts in the whole text, so of a reply in parts the caller gets every stored part.
        const arrived = merged.current.parts === undefined ? asStored(reply, merged) : merged;
        const known = old && versionsOf(old.reply);
        const { added, replaced } = changesOf(versionsOf(merged).values(), known);
        const isChange =
          added.length + replaced.length > 0 ||
          old === undefined ||
          importsOfReply(merged) !== importsOfReply(old.reply);
        if (isChange) {
          const entries = versionsOf(merged).values();
          const expiresAt = latestExpiry([...entries], settings, old?.state);
          const newItemCondition = {
            ConditionExpression: 'attribute_not_exists(#pk)',
            ExpressionAttributeNames: { '#pk': 'pk' },
          };
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: {
                ...replyItem(merged, newGeneration(), expiresAt, settings),
                ...(isQuiet && { [quietAttribute]: { BOOL: true } }),
              },
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...(old === undefined ? newItemCondition : unchangedCondition(old.state)),
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

/** Decides which events of a message are written: the known ones, and as many new ones as the message has room for. The others are refused. */
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
