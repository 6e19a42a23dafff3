import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
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

/** What became of the events of one message or reply. */
export type StoreOutcome =
  | {
      readonly kind: 'stored';
      /** Events that are new in history. */
      readonly stored: number;
      /** Events that were there already, with this content or another. */
      readonly repeated: number;
      /** Events the message has no room for, by id. */
      readonly refused: readonly string[];
    }
  /** The database will never take this item (too large, a key it refuses): trying again is no use. */
  | { readonly kind: 'unstorable' };

/** What became of a reply: of the versions that came, those stored with the same content before are given as they were stored then. */
type ReplyOutcome =
  | (Extract<StoreOutcome, { readonly kind: 'stored' }> & { readonly reply: Reply })
  | Extract<StoreOutcome, { readonly kind: 'unstorable' }>;

/** Keeps delivery history. Both calls may be repeated; other failures throw, and nothing is half written. */
export interface HistoryWriter {
  storeMessage(message: Message): Promise<StoreOutcome>;
  storeReply(reply: Reply): Promise<ReplyOutcome>;
}

/** Thrown when other writers kept changing the same item; the caller tries again later. */
class ContentionError extends Error {
  override readonly name = 'ContentionError';
}

const maximumTries = 8;

/** History in the DynamoDB table: one item a message, one a reply. */
export function createHistoryWriter(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
  newGeneration: NewGeneration = randomGeneration,
): HistoryWriter {
  /** Writes against what is known of the item until nobody was faster. */
  async function store<T>(
    write: (known: Item | undefined) => Promise<T>,
  ): Promise<T | { readonly kind: 'unstorable' }> {
    let known: Item | undefined;
    for (let attempt = 0; attempt < maximumTries; attempt++) {
      try {
        return await write(known);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) known = error.Item;
        else if (error instanceof DynamoDBServiceException && error.name === 'ValidationException')
          return { kind: 'unstorable' };
        else throw error;
      }
    }
    throw new ContentionError(`an item changed ${maximumTries} times while it was being written`);
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

/** Whether two views of a message name the same number and send, as the database keeps them. */
function isAddressedAlike(a: Message, b: Message | undefined): boolean {
  return (['phone', 'sendId'] as const).every(
    (name) => a[name]?.toWellFormed() === b?.[name]?.toWellFormed(),
  );
}

/** What a write does with the events of a message. */
interface Sifted extends Changes<StatusEntry> {
  /** The message without the events that are refused. */
  readonly fitting: Message;
  /** Ids of the events beyond the limit. */
  readonly refused: readonly string[];
  /** How many of the events were known, with this content or another. */
  readonly repeated: number;
}

/** Parts the events of a message into those that are new and fit, those already known, and those beyond the limit. */
function sift(message: Message, old: Message | undefined): Sifted {
  const { added: fresh, replaced } = changesOf(message.events.values(), old?.events);
  const byDecision = [...fresh].sort((a, b) => compareEntries(b, a));
  const free = Math.max(0, maxEventsPerMessage - (old?.events.size ?? 0));
  // A full message still takes what raises its rank: each rank once, so the limit is passed by a handful at most.
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
