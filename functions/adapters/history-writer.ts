import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  DynamoDBServiceException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  compareEntries,
  decidingEntry,
  type Message,
  maximumEventsPerMessage,
  mergeMessages,
} from '../core/history/message.ts';
import { asStored, mergeReplies, type Reply } from '../core/history/reply.ts';
import {
  type HistorySettings,
  type Item,
  messageFromItem,
  replyFromItem,
  replyItem,
} from './history-items.ts';
import { isStill, type NewGeneration, randomGeneration, stateOf } from './item-version.ts';
import { joinMessage, upsertMessage } from './message-update.ts';

/** What became of the events of one message or reply. */
export type StoreOutcome =
  | {
      readonly outcome: 'stored';
      /** Events that are new in history. */
      readonly stored: number;
      /** Events that were there already. */
      readonly repeated: number;
      /** Events the message has no room for, by id. */
      readonly refused: readonly string[];
    }
  /** The database will never take this item (too large, a key it refuses): trying again is no use. */
  | { readonly outcome: 'unstorable' };

/** What became of a reply: of the versions that came, those stored before are given as they were stored then. */
type ReplyOutcome =
  | (Extract<StoreOutcome, { readonly outcome: 'stored' }> & { readonly reply: Reply })
  | Extract<StoreOutcome, { readonly outcome: 'unstorable' }>;

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
  ): Promise<T | { readonly outcome: 'unstorable' }> {
    let known: Item | undefined;
    for (let attempt = 0; attempt < maximumTries; attempt++) {
      try {
        return await write(known);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) known = error.Item;
        else if (error instanceof DynamoDBServiceException && error.name === 'ValidationException')
          return { outcome: 'unstorable' };
        else throw error;
      }
    }
    throw new ContentionError(`an item changed ${maximumTries} times while it was being written`);
  }

  return {
    storeMessage: (message) =>
      store(async (known): Promise<StoreOutcome> => {
        const old = known && { message: messageFromItem(known), state: stateOf(known) };
        const { fitting, refused, repeated } = sift(message, old?.message);
        const stored = fitting.events.size;
        if (stored > 0) {
          const update =
            old === undefined
              ? upsertMessage(fitting, newGeneration(), settings)
              : joinMessage(
                  mergeMessages(fitting, old.message),
                  [...fitting.events.values()],
                  old.state,
                  newGeneration(),
                  settings,
                );
          await client.send(
            new UpdateItemCommand({
              TableName: tableName,
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...update,
            }),
          );
        }
        return { outcome: 'stored', stored, repeated, refused };
      }),

    storeReply: (reply) =>
      store(async (known): Promise<ReplyOutcome> => {
        const old = known && { reply: replyFromItem(known), state: stateOf(known) };
        const arrived = old === undefined ? reply : asStored(reply, old.reply);
        const merged = old === undefined ? reply : mergeReplies(arrived, old.reply);
        const added = 1 + merged.superseded.size - (old === undefined ? 0 : 1 + old.reply.superseded.size);
        if (added > 0) {
          const version = {
            eventCount: (old?.state.version.eventCount ?? 0) + added,
            generation: old?.state.version.generation ?? newGeneration(),
          };
          const isNew = {
            ConditionExpression: 'attribute_not_exists(#pk)',
            ExpressionAttributeNames: { '#pk': 'pk' },
          };
          await client.send(
            new PutItemCommand({
              TableName: tableName,
              Item: replyItem(merged, version, settings, old?.state),
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...(old === undefined ? isNew : isStill(old.state.version)),
            }),
          );
        }
        const repeated = 1 + reply.superseded.size - added;
        return { outcome: 'stored', stored: added, repeated, refused: [], reply: arrived };
      }),
  };
}

/** Parts the events of a message into those that are new and fit, those already known, and those beyond the limit. */
function sift(
  message: Message,
  old: Message | undefined,
): { fitting: Message; refused: string[]; repeated: number } {
  const fresh = [...message.events.values()].filter((entry) => !old?.events.has(entry.eventId));
  fresh.sort((a, b) => compareEntries(b, a));
  const free = Math.max(0, maximumEventsPerMessage - (old?.events.size ?? 0));
  // A full message still takes what raises its rank: each rank once, so the limit is passed by a handful at most.
  const [best] = fresh;
  const raises = old !== undefined && best !== undefined && best.rank > decidingEntry(old).rank;
  const room = free === 0 && raises ? 1 : free;
  const kept = fresh.slice(0, room);
  return {
    fitting: { ...message, events: new Map(kept.map((entry) => [entry.eventId, entry])) },
    refused: fresh.slice(room).map((entry) => entry.eventId),
    repeated: message.events.size - fresh.length,
  };
}
