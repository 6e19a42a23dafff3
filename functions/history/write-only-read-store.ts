import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from './item-keys.ts';

/**
 * Reads an item, strongly consistent, by an update whose condition never holds. So a function that writes the table needs no permission to
 * read it.
 */
export async function readByRefusedUpdate(
  client: DynamoDBClient,
  tableName: string,
  key: string,
): Promise<Item | undefined> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: tableName,
        Key: { pk: { S: key } },
        ConditionExpression: 'attribute_exists(#pk) AND attribute_not_exists(#pk)',
        ExpressionAttributeNames: { '#pk': 'pk' },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error.Item;
    throw error;
  }
}
