import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { putMessage } from '../history-write-store.ts';
import { type HistorySettings, randomGeneration, type StoredMessage } from '../item-keys.ts';
import type { StatusEntry } from '../message.ts';

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
      const put = putMessage(merged, message, randomGeneration(), settings);
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
