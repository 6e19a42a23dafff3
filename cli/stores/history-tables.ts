import {
  DescribeTableCommand,
  type DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import {
  driftDayFromItem,
  driftKey,
  type Item,
  type TimelineEntry,
  timelineEntryFromItem,
} from '../../functions/history/index.ts';
import { readItems } from '../../functions/history/io.ts';
import type { BoundedRange } from '../../functions/history/shapes.ts';

/** Reads the contract mismatches of days, without the days that have none. @param days yyyy-mm-dd, in UTC */
export type ReadDriftDays = (days: readonly string[]) => Promise<DriftDay[]>;

export function createDriftReader(client: DynamoDBClient, tableName: string): ReadDriftDays {
  return async (days) =>
    [...(await readItems(client, tableName, days.map(driftKey))).values()].map(driftDayFromItem);
}

/** The size of the history some hours ago: DynamoDB counts about every six hours. */
export interface HistorySize {
  readonly tableBytes: number;
  /** The bytes that every export reads, in addition to the items that it exports. */
  readonly indexBytes: number;
  /** How many keys every export reads. */
  readonly keys: number;
  /** Identifies the table, also if another gets its name. */
  readonly tableId: string;
}

/** Some messages and replies of an export. */
export interface ExportBatch {
  readonly entries: readonly TimelineEntry[];
  /** How many keys were read for them. */
  readonly keys: number;
  /** Where an export continues after this batch; left out within a page of keys, and after the last one. */
  readonly next?: string;
}

/** Reads the messages and replies of a range of time, for all numbers. */
export interface HistoryExport {
  size(): Promise<HistorySize>;
  /**
   * Reads messages and replies by the time at which they were first received, in no order. No index lists
   * delivered messages by time, because that would cost every message one more write. The export therefore reads all keys of
   * the index by number. Messages whose reports had no number are missing.
   *
   * @param from `next` of a batch, to continue after it
   */
  batches(range: BoundedRange, from?: string): AsyncGenerator<ExportBatch, void>;
}

/** The index by number. */
const IndexName = 'byNumber';

/** The keys of the index and its table are texts. */
const keySchema = z.record(z.string(), z.object({ S: z.string() }));

/** @throws ZodError for a key with other types */
const formatPlace = (from: Item): string => JSON.stringify(keySchema.parse(from));

/** The number of items in memory at a time. A page of keys is 1 MB; its items may be ten times as large. */
const batchSize = 100;

export function createHistoryExport(client: DynamoDBClient, tableName: string): HistoryExport {
  return {
    async size() {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
      const index = Table?.GlobalSecondaryIndexes?.find((one) => one.IndexName === IndexName);
      return {
        tableBytes: Table?.TableSizeBytes ?? 0,
        indexBytes: index?.IndexSizeBytes ?? 0,
        keys: index?.ItemCount ?? 0,
        tableId: Table?.TableId ?? Table?.TableArn ?? tableName,
      };
    },

    async *batches({ since, until }, start) {
      let from: Item | undefined = start === undefined ? undefined : keySchema.parse(JSON.parse(start));
      do {
        const page: ScanCommandOutput = await client.send(
          new ScanCommand({
            TableName: tableName,
            IndexName,
            FilterExpression: '#firstSeenAt >= :since AND #firstSeenAt < :until',
            ExpressionAttributeNames: { '#firstSeenAt': 'firstSeenAt' },
            ExpressionAttributeValues: { ':since': { S: since }, ':until': { S: until } },
            ExclusiveStartKey: from,
          }),
        );
        const { Items = [], ScannedCount = 0 } = page;
        from = page.LastEvaluatedKey;
        // The scan may meet an item twice that moves within the index.
        const keys = [...new Set(Items.map(({ pk }) => pk?.S ?? ''))];
        const batches = Math.max(1, Math.ceil(keys.length / batchSize));
        for (let batch = 0; batch < batches; batch++) {
          const items = await readItems(
            client,
            tableName,
            keys.slice(batch * batchSize, (batch + 1) * batchSize),
          );
          const isLast = batch === batches - 1;
          yield {
            entries: [...items.values()].map(timelineEntryFromItem),
            keys:
              Math.floor((ScannedCount * (batch + 1)) / batches) -
              Math.floor((ScannedCount * batch) / batches),
            ...(isLast && from !== undefined ? { next: formatPlace(from) } : {}),
          };
        }
      } while (from !== undefined);
    },
  };
}
