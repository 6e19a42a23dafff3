import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { Message } from '../core/history/message.ts';
import type { Reply } from '../core/history/reply.ts';
import type { TimelineEntry } from '../core/history/timeline.ts';
import { type Item, messageFromItem, messageKey, replyFromItem, replyKey } from './history-items.ts';

/** Answers questions about delivery history; each call is a GetItem or a Query, never a Scan. */
export interface HistoryReader {
  message(messageId: string): Promise<Message | undefined>;
  reply(replyId: string): Promise<Reply | undefined>;
  /**
   * Messages to and replies from one number, newest first.
   *
   * @param phone E.164
   * @param limit how many at most
   */
  timeline(phone: string, limit: number): Promise<readonly TimelineEntry[]>;
}

/** BatchGetItem takes at most this many keys. */
const batchSize = 100;

export function createHistoryReader(client: DynamoDBClient, tableName: string): HistoryReader {
  async function get(pk: string): Promise<Item | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
    );
    return Item;
  }

  async function keysOf(phone: string, limit: number): Promise<string[]> {
    const keys: string[] = [];
    let from: Item | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: tableName,
          IndexName: 'byPhone',
          KeyConditionExpression: '#phone = :phone',
          ExpressionAttributeNames: { '#phone': 'phone' },
          ExpressionAttributeValues: { ':phone': { S: phone } },
          ScanIndexForward: false,
          Limit: limit - keys.length,
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      for (const item of page.Items ?? []) keys.push(item.pk?.S ?? '');
      from = page.LastEvaluatedKey;
    } while (from !== undefined && keys.length < limit);
    return keys;
  }

  async function items(keys: readonly string[]): Promise<Map<string, Item>> {
    const found = new Map<string, Item>();
    let wanted = keys.map((pk) => ({ pk: { S: pk } }));
    while (wanted.length > 0) {
      const request = { [tableName]: { Keys: wanted.slice(0, batchSize) } };
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: request }),
      );
      for (const item of Responses?.[tableName] ?? []) found.set(item.pk?.S ?? '', item);
      const unprocessed = (UnprocessedKeys?.[tableName]?.Keys ?? []).map(({ pk }) => ({
        pk: { S: pk?.S ?? '' },
      }));
      wanted = [...wanted.slice(batchSize), ...unprocessed];
    }
    return found;
  }

  return {
    message: async (messageId) => {
      const item = await get(messageKey(messageId));
      return item === undefined ? undefined : messageFromItem(item);
    },
    reply: async (replyId) => {
      const item = await get(replyKey(replyId));
      return item === undefined ? undefined : replyFromItem(item);
    },
    timeline: async (phone, limit) => {
      const keys = await keysOf(phone, limit);
      const found = await items(keys);
      return keys.flatMap((key): TimelineEntry[] => {
        const item = found.get(key);
        // Gone between the two reads: expired.
        if (item === undefined) return [];
        return key.startsWith('reply#')
          ? [{ kind: 'reply', reply: replyFromItem(item) }]
          : [{ kind: 'message', message: messageFromItem(item) }];
      });
    },
  };
}
