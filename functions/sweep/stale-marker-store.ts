import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import {
  ContentionError,
  type HistorySettings,
  type Item,
  randomGeneration,
  type StoredMessage,
  stateOf,
} from '../history/history-item-store.ts';
import { joinMessage } from '../history/history-write-store.ts';
import { readItems } from '../history/item-read-store.ts';
import { decidingEntry, isFinal, type StatusEntry } from '../history/message.ts';
import { messageFromItem } from '../history/message-item.ts';

/** `changed`: the message has changed since it was read, has expired or is gone, and was not written. */
type MarkOutcome = 'marked' | 'changed';

/** Adds the pipeline's own reports to messages. */
export interface StaleMarker {
  /**
   * Adds a report to a message that is still as it was read. A report that was stored meanwhile wins. A message that was erased or has
   * expired is not written again.
   */
  mark(message: StoredMessage, report: StatusEntry): Promise<MarkOutcome>;
}

export function createStaleMarker(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
): StaleMarker {
  return {
    async mark(message, report) {
      const merged = { ...message, events: new Map([...message.events, [report.eventId, report]]) };
      const put = joinMessage(merged, message, randomGeneration(), settings);
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            ...put,
            // An expired item stays readable until DynamoDB deletes it.
            ConditionExpression: `${put.ConditionExpression} AND #expiresAt > :now`,
            ExpressionAttributeNames: { ...put.ExpressionAttributeNames, '#expiresAt': 'expiresAt' },
            ExpressionAttributeValues: {
              ...put.ExpressionAttributeValues,
              ':now': { N: String(Math.floor(Date.parse(report.receivedAt) / 1000)) },
            },
          }),
        );
        return 'marked';
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return 'changed';
        throw error;
      }
    },
  };
}

/** Lists pending messages in the index, where they stay until their final report. */
export interface PendingLister {
  /** Lists those of the messages that have no final status and are not listed. */
  list(keys: readonly string[]): Promise<void>;
}

const concurrentWrites = 16;
const maxAttempts = 8;

export function createPendingLister(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
): PendingLister {
  async function listOne(read: Item): Promise<void> {
    let item: Item | undefined = read;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      if (item === undefined) return;
      const message = { ...messageFromItem(item), ...stateOf(item) };
      if (message.isListedPending || isFinal(decidingEntry(message))) return;
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            ...joinMessage(message, { ...message, isListedPending: true }, randomGeneration(), settings),
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        // A message that changed may be pending still, and its later batch does not have its place in the list.
        item = error.Item;
      }
    }
    throw new ContentionError(maxAttempts);
  }

  return {
    async list(keys) {
      const items = await readItems(client, tableName, keys);
      await pMap(items.values(), listOne, { concurrency: concurrentWrites });
    },
  };
}

const throttlings: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Returns whether DynamoDB throttles its callers. */
export function isThrottling(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}
