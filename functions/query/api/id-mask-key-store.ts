import { randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createIdMask, type IdMask, idMaskKeyBytes } from './masked-ids.ts';

/** The keys of secrets of the query function in the history table begin with this. */
export const idMaskKeyPrefix = 'id-mask#';

const pk = `${idMaskKeyPrefix}key`;

/**
 * Returns the mask of ids. Its key is an item of the history table, which the first user of the console makes. A principal that may read it may
 * read the numbers beside it, so it needs no secret of its own in Secrets Manager, which would cost 4.80 US dollars a year.
 */
export function createIdMaskReader(client: DynamoDBClient, tableName: string): () => Promise<IdMask> {
  let cached: Promise<IdMask> | undefined;

  async function read(): Promise<Buffer | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
    );
    return Item?.key?.B && Buffer.from(Item.key.B);
  }

  async function create(): Promise<void> {
    try {
      await client.send(
        new PutItemCommand({
          TableName: tableName,
          Item: { pk: { S: pk }, key: { B: randomBytes(idMaskKeyBytes) } },
          ConditionExpression: 'attribute_not_exists(#pk)',
          ExpressionAttributeNames: { '#pk': 'pk' },
        }),
      );
    } catch (error) {
      // Another instance was faster.
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  async function load(): Promise<IdMask> {
    let key = await read();
    if (key === undefined) {
      await create();
      key = await read();
    }
    if (key === undefined) throw new Error('the key of masked ids was deleted while it was made');
    return createIdMask(key);
  }

  return () => {
    cached ??= load().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}
