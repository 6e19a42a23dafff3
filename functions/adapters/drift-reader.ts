import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DriftDay } from '../core/drift/novelty.ts';
import { driftDayFromItem, driftKey } from './drift-register.ts';
import { readItems } from './read-items.ts';

/** Reads in what ways events differed from the contract. */
export interface DriftReader {
  /** Those of these days on which something was new. @param days yyyy-mm-dd, in UTC */
  days(days: readonly string[]): Promise<DriftDay[]>;
}

export function createDriftReader(client: DynamoDBClient, tableName: string): DriftReader {
  return {
    days: async (days) =>
      [...(await readItems(client, tableName, days.map(driftKey))).values()].map(driftDayFromItem),
  };
}
