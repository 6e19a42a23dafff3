import { DeleteItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { hoursPartition, openMessagesOf } from '../history/open-batch.ts';
import { createOpenBatchReader, type OpenBatchKey, type OpenHour } from '../lists/open-batch-read-store.ts';

/** Keys of messages that batches noted, and the sort key of the last of these batches; undefined at the end of the partition. */
interface NotedMessages {
  readonly keys: readonly string[];
  readonly last: string | undefined;
}

/** The hours with open batches, as the sweep handles them. DynamoDB deletes the batches themselves, which costs nothing. */
export interface OpenHours {
  /** Oldest first. */
  list(): Promise<readonly OpenHour[]>;
  /** Reads the next batches of a partition. @param after the sort key of the batch before */
  next(partition: string, after: string | undefined): Promise<NotedMessages>;
  /** Records where the next sweep continues. */
  pause(hour: string, last: OpenBatchKey): Promise<void>;
  /** Records that all batches were handled. The list of pending messages reads them until the hour is forgotten. */
  finish(hour: string, sweptAt: number): Promise<void>;
  forget(hour: string): Promise<void>;
}

/** Open batches that one query reads: a few hundred messages. */
const batchesPerRead = 25;

export function createOpenHours(client: DynamoDBClient, tableName: string): OpenHours {
  const reader = createOpenBatchReader(client, tableName);
  const target = (hour: string) => ({
    TableName: tableName,
    Key: { pk: { S: hoursPartition }, sk: { S: hour } },
  });
  return {
    list: () => reader.hours(),
    async next(partition, after) {
      const query = { partition, isNewestFirst: false, limit: batchesPerRead };
      const { batches } = await reader.batches(after === undefined ? query : { ...query, after });
      const keys = batches.flatMap(openMessagesOf).map(({ key }) => key);
      return { keys: [...new Set(keys)], last: batches.at(-1)?.sk?.S };
    },
    async pause(hour, { partition, sort }) {
      await client.send(
        new UpdateItemCommand({
          ...target(hour),
          UpdateExpression: 'SET #partition = :partition, #sort = :sort',
          ExpressionAttributeNames: { '#partition': 'partition', '#sort': 'sort' },
          ExpressionAttributeValues: { ':partition': { S: partition }, ':sort': { S: sort } },
        }),
      );
    },
    async finish(hour, sweptAt) {
      await client.send(
        new UpdateItemCommand({
          ...target(hour),
          UpdateExpression: 'SET #sweptAt = :sweptAt',
          ExpressionAttributeNames: { '#sweptAt': 'sweptAt' },
          ExpressionAttributeValues: { ':sweptAt': { N: String(sweptAt) } },
        }),
      );
    },
    async forget(hour) {
      await client.send(new DeleteItemCommand(target(hour)));
    },
  };
}
