import { DescribeTableCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { BoundedRange } from '../core/history/listing.ts';
import type { TimelineEntry } from '../core/history/timeline.ts';
import { type Item, messageFromItem, replyFromItem } from './history-items.ts';
import { readItems } from './read-items.ts';

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
          for (const [pk, item] of found) yield entryOf(pk, item);
        }
      } while (from !== undefined);
    },
  };
}

function entryOf(pk: string, item: Item): TimelineEntry {
  return pk.startsWith('reply#')
    ? { kind: 'reply', reply: replyFromItem(item) }
    : { kind: 'message', message: messageFromItem(item) };
}
