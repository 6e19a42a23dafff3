import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../core/clock.ts';
import type { PersonalRecord } from '../core/personal-data/record.ts';
import { createPersonalDataSources, type PersonalDataTables, personalRecords } from './personal-data.ts';
import { createEraser, type Eraser } from './personal-data-eraser.ts';
import { createReceiptTable, type ReceiptTable } from './personal-data-receipts.ts';

/** What is kept about people: it can be found and erased, and what was erased is known. */
export interface PersonalData extends Eraser {
  /** Everything about a number, read as it is asked for. @param phone E.164 */
  records(phone: string): AsyncIterable<PersonalRecord>;
  readonly receipts: Pick<ReceiptTable, 'begin' | 'read'>;
}

/** @param waitMs how long an erasure waits for the index by number, in milliseconds */
export function createPersonalData(
  client: DynamoDBClient,
  tables: PersonalDataTables,
  clock: Clock,
  waitMs: number,
): PersonalData {
  const sources = createPersonalDataSources(client, tables);
  const receipts = createReceiptTable(client, tables.history);
  return {
    ...createEraser(client, sources, receipts, clock, waitMs),
    records: (phone) => personalRecords(sources, phone),
    receipts,
  };
}
