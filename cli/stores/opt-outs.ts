import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readItems } from '../../functions/history/item-read-store.ts';
import {
  compareOptOutChanges,
  createOptOutRegister,
  type EntryByHand,
  type OptOutChange,
  optOutChangeFromItem,
  registerKeysOf,
  statementByHand,
} from '../../functions/opt-out/opt-out-store.ts';

/** The register of opt-outs as an operator uses it. */
export interface OptOutAccess {
  /** Returns the state of a number in any of its spellings, strongly consistent; undefined where the register does not have it. */
  read(phone: string): Promise<OptOutChange | undefined>;
  /** Records an entry as newer than the number's known state. */
  recordByHand(entry: EntryByHand, known: OptOutChange | undefined): Promise<void>;
}

export function createOptOutAccess(
  client: DynamoDBClient,
  tableName: string,
  worklistShards: number,
): OptOutAccess {
  const register = createOptOutRegister(client, tableName, worklistShards);
  return {
    recordByHand: (entry, known) => register.record(statementByHand(entry, known)),
    async read(phone) {
      const items = await readItems(client, tableName, registerKeysOf(phone), undefined, {
        consistent: true,
      });
      return [...items.values()].map(optOutChangeFromItem).sort(compareOptOutChanges).at(-1);
    },
  };
}
