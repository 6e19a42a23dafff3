import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../runtime/basics.ts';
import { randomGeneration } from './history-item-store.ts';
import type { Message, Reply } from './message.ts';
import { hourOf, hoursPartition, openBatchItems } from './open-batch.ts';

/** Notes what is about to be stored, so that the list of pending messages, the sweep and the archiver find each one, also after a crash. */
export interface OpenBatches {
  /**
   * Notes those of the messages that have no final status; with an archive all messages and replies. One that is noted and then not stored
   * does no harm.
   */
  note(messages: readonly Message[], replies?: readonly Reply[]): Promise<void>;
}

/** @param archiveAfterDays 0 without an archive */
export function createOpenBatches(
  client: DynamoDBClient,
  tableName: string,
  clock: Clock,
  archiveAfterDays = 0,
): OpenBatches {
  let notedHour: string | undefined;
  return {
    async note(messages, replies = []) {
      const now = clock();
      const archive = archiveAfterDays === 0 ? undefined : { afterDays: archiveAfterDays, replies };
      const items = openBatchItems(messages, now, randomGeneration, archive);
      const hour = hourOf(now);
      if (items.length > 0 && notedHour !== hour) {
        const Item = { pk: { S: hoursPartition }, sk: { S: hour } };
        await client.send(new PutItemCommand({ TableName: tableName, Item }));
        notedHour = hour;
      }
      await Promise.all(items.map((Item) => client.send(new PutItemCommand({ TableName: tableName, Item }))));
    },
  };
}
