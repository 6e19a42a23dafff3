import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type HistorySettings,
  type NewGeneration,
  randomGeneration,
  type StoredMessage,
} from '../history/history-item-store.ts';
import type { StatusEntry } from '../history/message.ts';
import { joinMessage } from '../history/message-update-store.ts';

/** `changed`: the message is not as it was read, has expired or is gone, and was left alone. */
type MarkOutcome = 'marked' | 'changed';

/** Adds reports of the pipeline's own to messages. */
export interface StaleMarker {
  /**
   * Adds a report to a message only if it still is as it was read: a report that came meanwhile wins, and nothing that was
   * erased or has expired comes back.
   *
   * @param message as it was read
   */
  mark(message: StoredMessage, report: StatusEntry): Promise<MarkOutcome>;
}

export function createStaleMarker(
  client: DynamoDBClient,
  tableName: string,
  settings: HistorySettings,
  newGeneration: NewGeneration = randomGeneration,
): StaleMarker {
  return {
    async mark(message, report) {
      const merged = { ...message, events: new Map([...message.events, [report.eventId, report]]) };
      const update = joinMessage(
        merged,
        { added: [report], replaced: [] },
        message,
        newGeneration(),
        settings,
      );
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            ...update,
            // What has expired stays readable for a while, until DynamoDB deletes it.
            ConditionExpression: `${update.ConditionExpression} AND #expiresAt > :now`,
            ExpressionAttributeValues: {
              ...update.ExpressionAttributeValues,
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

const throttlings: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Whether DynamoDB asks its callers to slow down. */
export function isThrottling(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}
