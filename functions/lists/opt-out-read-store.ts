import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { readItems } from '../history/item-read-store.ts';
import {
  joinStatements,
  type OptOutStatement,
  registerKeysOf,
  statementsFromItem,
} from '../opt-out/opt-out-store.ts';

/** Reads the register of opt-outs. */
export interface OptOutReader {
  /** Returns what a number said in any of its spellings, newest first; empty where the register does not have it. */
  statements(phone: string): Promise<readonly OptOutStatement[]>;
}

/** Reads strongly consistent, so that an opt-out that was just recorded is seen. */
export function createOptOutReader(client: DynamoDBClient, tableName: string): OptOutReader {
  return {
    async statements(phone) {
      const items = await readItems(client, tableName, registerKeysOf(phone), undefined, {
        consistent: true,
      });
      return [...items.values()].map(statementsFromItem).reduce(joinStatements, []);
    },
  };
}
