import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type EntryByHand,
  type OptOutChange,
  optOutChangeFromItem,
  optOutKey,
  statementByHand,
} from '../../functions/history/index.ts';
import { createOptOutRegister } from '../../functions/history/io.ts';

/** The register of opt-outs as an operator uses it. */
export interface OptOutAccess {
  /** Returns the state of a number in any of its spellings, strongly consistent; undefined if the register does not have it. */
  read(phone: string): Promise<OptOutChange | undefined>;
  /** Records an entry as newer than the number's known state. */
  recordByHand(entry: EntryByHand, known: OptOutChange | undefined): Promise<void>;
}

export function createOptOutAccess(
  client: DynamoDBClient,
  tableName: string,
  listShards: number,
): OptOutAccess {
  const register = createOptOutRegister(client, tableName, { listShards });
  return {
    recordByHand: (entry, known) => register.record(statementByHand(entry, known)),
    async read(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
      );
      return Item && optOutChangeFromItem(Item);
    },
  };
}
