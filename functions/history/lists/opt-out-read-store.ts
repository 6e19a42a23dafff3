import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type OptOutStatement, optOutKey, statementsFromItem } from '../opt-out/opt-out.ts';

/** Reads the register of opt-outs. */
export interface OptOutReader {
  /** Returns what a number said in any of its spellings, newest first; empty if the register does not have it. */
  statements(phone: string): Promise<readonly OptOutStatement[]>;
}

/** Reads strongly consistent, so that an opt-out that was just recorded is seen. */
export function createOptOutReader(client: DynamoDBClient, TableName: string): OptOutReader {
  return {
    async statements(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      return Item === undefined ? [] : statementsFromItem(Item);
    },
  };
}
