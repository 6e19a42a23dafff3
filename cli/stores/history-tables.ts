import {
  DeleteItemCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import { driftDayFromItem, driftKey } from '../../functions/contract-drift/drift-store.ts';
import { type Item, timelineEntryFromItem } from '../../functions/history/history-item-store.ts';
import { readItems } from '../../functions/history/item-read-store.ts';
import type { TimelineEntry } from '../../functions/history/message.ts';
import type { BoundedRange } from '../../functions/lists/time-range.ts';
import { parseQuarantineId } from '../../functions/quarantine/quarantine.ts';
import { quarantineKey } from '../../functions/quarantine/quarantine-store.ts';

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

/**
 * Removes an entry from quarantine; one that is not there is none to remove.
 *
 * @param id as the quarantine's list gives it
 */
export type RemoveQuarantined = (id: string) => Promise<void>;

export function createQuarantineRemoval(client: DynamoDBClient, tableName: string): RemoveQuarantined {
  return async (id) => {
    const parsed = parseQuarantineId(id);
    if (parsed === undefined) return;
    const { pk, sk } = quarantineKey(parsed);
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
  };
}

/** How large the history is, as of some hours ago: DynamoDB counts every six hours or so. */
export interface HistorySize {
  readonly tableBytes: number;
  /** What an export reads in any case, besides what it finds. */
  readonly indexBytes: number;
}

/** Reads the messages and replies of a time, whoever they are to or from. */
export interface HistoryExport {
  size(): Promise<HistorySize>;
  /**
   * Messages first seen, and replies sent, in a range; in no order. No index lists delivered messages by time, since that
   * would cost every message one more write. So the keys of the index by number are read, all of them; messages whose number
   * no report told are not in it.
   */
  entries(range: BoundedRange): AsyncGenerator<TimelineEntry, void>;
}

const index = 'byPhone';

/** How many items are in memory at a time. */
const batchSize = 100;

export function createHistoryExport(client: DynamoDBClient, tableName: string): HistoryExport {
  return {
    async size() {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
      const byPhone = Table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === index);
      return { tableBytes: Table?.TableSizeBytes ?? 0, indexBytes: byPhone?.IndexSizeBytes ?? 0 };
    },

    async *entries({ since, until }) {
      let from: Item | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await client.send(
          new ScanCommand({
            TableName: tableName,
            IndexName: index,
            FilterExpression: '#at >= :since AND #at < :until',
            ExpressionAttributeNames: { '#at': 'at' },
            ExpressionAttributeValues: { ':since': { S: since }, ':until': { S: until } },
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        from = LastEvaluatedKey;
        // An item that moves while the index is read may be met twice.
        const keys = [...new Set(Items.map(({ pk }) => pk?.S ?? ''))];
        // A page of keys is 1 MB; its items may be ten times as much.
        for (let start = 0; start < keys.length; start += batchSize) {
          const found = await readItems(client, tableName, keys.slice(start, start + batchSize));
          for (const item of found.values()) yield timelineEntryFromItem(item);
        }
      } while (from !== undefined);
    },
  };
}
