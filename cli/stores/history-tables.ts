import {
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import { driftDayFromItem, driftKey } from '../../functions/contract-drift/drift-store.ts';
import type { Item } from '../../functions/history/history-item-store.ts';
import { readItems } from '../../functions/history/item-read-store.ts';
import type { TimelineEntry } from '../../functions/history/message.ts';
import { timelineEntryFromItem } from '../../functions/history/reply-item.ts';
import type { BoundedRange } from '../../functions/lists/time-range.ts';
import { parseQuarantineId } from '../../functions/quarantine/quarantine.ts';
import { quarantineKey } from '../../functions/quarantine/quarantine-store.ts';

/** Reads the contract mismatches of days, without the days that have none. @param days yyyy-mm-dd, in UTC */
export type ReadDriftDays = (days: readonly string[]) => Promise<DriftDay[]>;

export function createDriftReader(client: DynamoDBClient, tableName: string): ReadDriftDays {
  return async (days) =>
    [...(await readItems(client, tableName, days.map(driftKey))).values()].map(driftDayFromItem);
}

/** Removes an entry from quarantine, if it is there. @param id as the quarantine's list shows it */
export type RemoveQuarantined = (id: string) => Promise<void>;

export function createQuarantineRemoval(client: DynamoDBClient, tableName: string): RemoveQuarantined {
  return async (id) => {
    const parsed = parseQuarantineId(id);
    if (parsed === undefined) return;
    const { pk, sk } = quarantineKey(parsed);
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
  };
}

/** The size of the history some hours ago: DynamoDB counts about every six hours. */
export interface HistorySize {
  readonly tableBytes: number;
  /** The bytes that every export reads, in addition to the items that it exports. */
  readonly indexBytes: number;
}

/** Reads the messages and replies of a range of time, for all numbers. */
export interface HistoryExport {
  size(): Promise<HistorySize>;
  /**
   * Reads messages by the time they were first seen, and replies by the time they were sent, in no order. No index lists
   * delivered messages by time, because that would cost every message one more write. The export therefore reads all keys of
   * the indexes by number. Messages whose reports had no number are missing. An item of format 1 that changes meanwhile may come twice.
   */
  entries(range: BoundedRange): AsyncGenerator<TimelineEntry, void>;
}

/** The indexes by number, that of format 1 first: its items become format 2. */
const indexes = [
  { name: 'byPhone', sort: 'at', time: (iso: string) => ({ S: iso }) },
  { name: 'byNumber', sort: 't', time: (iso: string) => ({ N: String(Date.parse(iso)) }) },
] as const;

/** The number of items in memory at a time. A page of keys is 1 MB; its items may be ten times as large. */
const batchSize = 100;

export function createHistoryExport(client: DynamoDBClient, tableName: string): HistoryExport {
  return {
    async size() {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
      const read = Table?.GlobalSecondaryIndexes?.filter(({ IndexName }) =>
        indexes.some(({ name }) => name === IndexName),
      );
      const indexBytes = read?.reduce((sum, { IndexSizeBytes = 0 }) => sum + IndexSizeBytes, 0) ?? 0;
      return { tableBytes: Table?.TableSizeBytes ?? 0, indexBytes };
    },

    async *entries({ since, until }) {
      for (const { name, sort, time } of indexes) {
        let from: Item | undefined;
        do {
          const { Items = [], LastEvaluatedKey } = await client.send(
            new ScanCommand({
              TableName: tableName,
              IndexName: name,
              FilterExpression: '#at >= :since AND #at < :until',
              ExpressionAttributeNames: { '#at': sort },
              ExpressionAttributeValues: { ':since': time(since), ':until': time(until) },
              ExclusiveStartKey: from,
            }),
          );
          from = LastEvaluatedKey;
          // The scan may meet an item twice that moves within the index.
          const keys = [...new Set(Items.map(({ pk }) => pk?.S ?? ''))];
          for (let start = 0; start < keys.length; start += batchSize) {
            const items = await readItems(client, tableName, keys.slice(start, start + batchSize));
            for (const item of items.values()) yield timelineEntryFromItem(item);
          }
        } while (from !== undefined);
      }
    },
  };
}
