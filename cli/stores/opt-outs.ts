import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  type EntryByHand,
  type OptOutChange,
  type OptOutSettings,
  optOutChangeFromItem,
  optOutKey,
  statementByHand,
} from '../../functions/history/index.ts';
import { createOptOutRegister } from '../../functions/history/io.ts';

/** The register of opt-outs as an operator uses it. */
export interface OptOutAccess {
  /** Returns the state of a number in any of its spellings, strongly consistent; undefined if the register does not have it. */
  read(phone: string): Promise<OptOutChange | undefined>;
  /** Whether an opt-out counts only for its source. */
  readonly bySource: boolean;
  /** Records entries of one number as newer than its known state. */
  recordByHand(entries: readonly EntryByHand[], known: OptOutChange | undefined): Promise<void>;
}

export function createOptOutAccess(
  client: DynamoDBClient,
  tableName: string,
  settings: OptOutSettings,
): OptOutAccess {
  const register = createOptOutRegister(client, tableName, settings);
  return {
    bySource: settings.optOutsBySource === true,
    recordByHand: (entries, known) =>
      register.record(...entries.map((entry) => statementByHand(entry, known))),
    async read(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }),
      );
      return Item && optOutChangeFromItem(Item);
    },
  };
}
