import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type EntryByHand,
  type OptOutReader,
  type OptOutSettings,
  type RegisteredNumber,
  statementByHand,
} from '../../functions/history/index.ts';
import { createOptOutReader, createOptOutRegister } from '../../functions/history/io.ts';

/** The register of opt-outs, read and written by hand. */
export interface OptOutAccess extends OptOutReader {
  /** Whether an opt-out counts only for its source. */
  readonly bySource: boolean;
  /** Records an entry as newer than everything known about its number. */
  recordByHand(entry: EntryByHand, known: RegisteredNumber | undefined): Promise<void>;
}

export function createOptOutAccess(
  client: DynamoDBClient,
  tableName: string,
  settings: OptOutSettings,
): OptOutAccess {
  const register = createOptOutRegister(client, tableName, settings);
  return {
    ...createOptOutReader(client, tableName),
    bySource: settings.optOutsBySource === true,
    recordByHand: (entry, known) => register.record(statementByHand(entry, known?.statements[0])),
  };
}
