import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Message } from '../core/history/message.ts';
import type { Reply } from '../core/history/reply.ts';
import { type Item, messageFromItem, messageKey, replyFromItem, replyKey } from './history-items.ts';

/** Answers questions about one message or reply, each with one strongly consistent GetItem. */
export interface HistoryReader {
  message(messageId: string): Promise<Message | undefined>;
  reply(replyId: string): Promise<Reply | undefined>;
}

export function createHistoryReader(client: DynamoDBClient, tableName: string): HistoryReader {
  async function get(pk: string): Promise<Item | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk } }, ConsistentRead: true }),
    );
    return Item;
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
  };
}
