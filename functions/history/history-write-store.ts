import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  ContentionError,
  type HistorySettings,
  type Item,
  messageFromItem,
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
import { joinMessage, upsertMessage } from './message-update-store.ts';

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
