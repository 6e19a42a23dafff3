import {
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import { driftDayFromItem, driftKey } from '../../functions/contract-drift/drift-store.ts';
import type { Item } from '../../functions/history/history-item-store.ts';
import { readItems } from '../../functions/history/item-read-store.ts';
import type { TimelineEntry } from '../../functions/history/message.ts';
import { timelineEntryFromItem } from '../../functions/history/reply-item.ts';
import type { BoundedRange } from '../../functions/lists/time-range.ts';

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
   * Reads messages by the time they were first seen, and replies by the time they were sent, in no order. No index lists
   * delivered messages by time, because that would cost every message one more write. The export therefore reads all keys of
   * the indexes by number. Messages whose reports had no number are missing. An item of format 1 that changes meanwhile may come twice.
   *
   * @param from `next` of a batch, to continue after it
   */
  batches(range: BoundedRange, from?: string): AsyncGenerator<ExportBatch, void>;
}

/** The indexes by number, that of format 1 first: its items become format 2. */
const indexes = [
  { name: 'byPhone', sort: 'at', time: (iso: string) => ({ S: iso }) },
  { name: 'byNumber', sort: 't', time: (iso: string) => ({ N: String(Date.parse(iso)) }) },
] as const;

const bytes = z.codec(z.base64(), z.instanceof(Uint8Array), {
  decode: (text) => Uint8Array.from(Buffer.from(text, 'base64')),
  encode: (value) => Buffer.from(value).toString('base64'),
});

/** Keys of the indexes and their table are text, a number for a time, or bytes; the bytes as base64 where it is JSON. */
const keySchema = z.record(
  z.string(),
  z.union([z.object({ S: z.string() }), z.object({ N: z.string() }), z.object({ B: bytes })]),
);

/** Where an export reads next: an index, and the key that it continues after. */
const placeSchema = z.object({
  index: z.enum(indexes.map(({ name }) => name)),
  from: keySchema.optional(),
});

interface Place {
  readonly index: z.infer<typeof placeSchema>['index'];
  readonly from?: Item | undefined;
}

function formatPlace({ index, from }: Place): string {
  // Throws for a key with other types.
  const key = from && keySchema.encode(from as z.output<typeof keySchema>);
  return JSON.stringify({ index, from: key });
}

function placeAfter(index: number, from: Item | undefined): Place | undefined {
  const name = indexes[from === undefined ? index + 1 : index]?.name;
  return name === undefined ? undefined : { index: name, from };
}

/** The number of items in memory at a time. A page of keys is 1 MB; its items may be ten times as large. */
const batchSize = 100;

export function createHistoryExport(client: DynamoDBClient, tableName: string): HistoryExport {
  return {
    async size() {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
      const read = Table?.GlobalSecondaryIndexes?.filter(({ IndexName }) =>
        indexes.some(({ name }) => name === IndexName),
      );
      const sum = (of: (index: GlobalSecondaryIndexDescription) => number | undefined): number =>
        read?.reduce((total, index) => total + (of(index) ?? 0), 0) ?? 0;
      return {
        tableBytes: Table?.TableSizeBytes ?? 0,
        indexBytes: sum(({ IndexSizeBytes }) => IndexSizeBytes),
        keys: sum(({ ItemCount }) => ItemCount),
        tableId: Table?.TableId ?? Table?.TableArn ?? tableName,
      };
    },

    async *batches({ since, until }, start) {
      let place: Place | undefined =
        start === undefined ? { index: indexes[0].name } : placeSchema.parse(JSON.parse(start));
      while (place !== undefined) {
        const { index, from }: Place = place;
        const number = indexes.findIndex(({ name }) => name === index);
        const { sort, time } = indexes[number] ?? indexes[0];
        const {
          Items = [],
          LastEvaluatedKey,
          ScannedCount = 0,
        } = await client.send(
          new ScanCommand({
            TableName: tableName,
            IndexName: index,
            FilterExpression: '#at >= :since AND #at < :until',
            ExpressionAttributeNames: { '#at': sort },
            ExpressionAttributeValues: { ':since': time(since), ':until': time(until) },
            ExclusiveStartKey: from,
          }),
        );
        place = placeAfter(number, LastEvaluatedKey);
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
            ...(isLast && place !== undefined ? { next: formatPlace(place) } : {}),
          };
        }
      }
    },
  };
}
