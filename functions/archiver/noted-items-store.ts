import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { notedKeysOf, openPartitionsOf } from '../history/open-batch.ts';
import { createOpenBatchReader } from '../lists/open-batch-read-store.ts';
import { defined } from '../runtime/basics.ts';
import type { NotedItems } from './archive-days.ts';

/** The key of the archiver's state, in the table of open batches. */
const key = { pk: { S: 'archive' }, sk: { S: 'state' } };

export function createNotedItems(client: DynamoDBClient, TableName: string): NotedItems {
  const reader = createOpenBatchReader(client, TableName);
  return {
    async state() {
      const { Item } = await client.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: true }));
      if (Item?.next?.S === undefined) return undefined;
      const { earlierDays, until } = Item;
      const earlier =
        earlierDays?.N === undefined || until?.S === undefined
          ? undefined
          : { days: Number(earlierDays.N), until: until.S };
      return { next: Item.next.S, days: Number(Item.days?.N), ...defined({ earlier }) };
    },

    async save({ next, days, earlier }) {
      const Item = {
        ...key,
        next: { S: next },
        days: { N: String(days) },
        ...(earlier && { earlierDays: { N: String(earlier.days) }, until: { S: earlier.until } }),
      };
      await client.send(new PutItemCommand({ TableName, Item }));
    },

    async *keysOf(hour) {
      for (const partition of openPartitionsOf(hour)) {
        let after: string | undefined;
        do {
          const page = await reader.batches({ partition, isNewestFirst: false, ...defined({ after }) });
          yield page.batches.flatMap(notedKeysOf);
          after = page.next;
        } while (after !== undefined);
      }
    },
  };
}
