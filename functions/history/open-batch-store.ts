import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../runtime/basics.ts';
import { randomGeneration } from './history-item-store.ts';
import type { Message } from './message.ts';
import { hourOf, hoursPartition, openBatchItems } from './open-batch.ts';

/** Notes what is about to be stored, so that the list of pending messages and the sweep find each one, also after a crash. */
export interface OpenBatches {
  /** Notes those of the messages that have no final status. One that is noted and then not stored does no harm. */
  note(messages: readonly Message[]): Promise<void>;
}

export function createOpenBatches(client: DynamoDBClient, tableName: string, clock: Clock): OpenBatches {
  let notedHour: string | undefined;
  return {
    async note(messages) {
      const now = clock();
      const items = openBatchItems(messages, now, randomGeneration);
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
