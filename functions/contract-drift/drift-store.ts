import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type DriftDay,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../contract/drift/drift-watch.ts';
import { expiryOf, type Item } from '../history/history-item-store.ts';

/**
 * In what ways events differed from the contract: an item a day in the history table, `pk = drift#<yyyy-mm-dd>`, in no index, with
 * an attribute for each novelty. So a day has each of them once, and no more than {@link maxMismatchesPerDay}, however many write.
 */
export interface DriftRegister {
  /** Writes a novelty down where its day has room and does not have it yet. */
  note(novelty: NotedMismatch): Promise<void>;
}

const retentionDays = 90;
const noveltyPrefix = 'novelty#';

/** The keys of days begin with this. */
export const driftPrefix = 'drift#';

export const driftKey = (day: string): string => driftPrefix + day;

export function createDriftRegister(client: DynamoDBClient, tableName: string): DriftRegister {
  return {
    async note(novelty) {
      const day = novelty.foundAt.slice(0, 10);
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { pk: { S: driftKey(day) } },
            UpdateExpression:
              'SET #novelty = :novelty, #count = if_not_exists(#count, :none) + :one, #day = :day, #expiresAt = :expiresAt',
            ConditionExpression:
              'attribute_not_exists(#novelty) AND (attribute_not_exists(#count) OR #count < :most)',
            ExpressionAttributeNames: {
              '#novelty': noveltyPrefix + mismatchId(novelty),
              '#count': 'noveltyCount',
              '#day': 'day',
              '#expiresAt': 'expiresAt',
            },
            ExpressionAttributeValues: marshall({
              ':novelty': { ...novelty },
              ':none': 0,
              ':one': 1,
              ':most': maxMismatchesPerDay,
              ':day': day,
              ':expiresAt': expiryOf(novelty.foundAt, retentionDays),
            }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}

export function driftDayFromItem(item: Item): DriftDay {
  const { day, ...rest } = unmarshall(item);
  const novelties = Object.entries(rest)
    .filter(([name]) => name.startsWith(noveltyPrefix))
    .map(([name, value]): [string, NotedMismatch] => [name.slice(noveltyPrefix.length), value]);
  return { day, novelties: new Map(novelties) };
}
