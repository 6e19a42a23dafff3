import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type OptOutChange,
  type OptOutStatement,
  optOutChangeFromItem,
  optOutKey,
  statementsFromItem,
} from '../opt-out/opt-out.ts';

/** A number in the register of opt-outs. */
export interface RegisteredNumber extends OptOutChange {
  /** What was said in any of the number's spellings, newest first. */
  readonly statements: readonly OptOutStatement[];
}

/** Reads the register of opt-outs. */
export interface OptOutReader {
  /** Returns what the register has of a number; undefined if it never said anything about messages. */
  number(phone: string): Promise<RegisteredNumber | undefined>;
}

/** Reads strongly consistent, so that an opt-out that was just recorded is seen. */
export function createOptOutReader(client: DynamoDBClient, TableName: string): OptOutReader {
  return {
    async number(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      return Item && { ...optOutChangeFromItem(Item), statements: statementsFromItem(Item) };
    },
  };
}
