import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { replyOf } from '../../../../functions/history/index.ts';
import {
  cohortKey,
  keyAttributes,
  keyOfItem,
  waitingRepliesKey,
} from '../../../../functions/insights/index.ts';
import { anotherPhone } from '../another-phone.ts';
import type { Exercise } from '../exercise.ts';
import { historyWriter, reported } from './history.ts';

/** Counts a message and a reply that came before it. It begins without positions, as with new shards of the stream. */
export const exerciseInsights: Exercise = async (stage) => {
  const { pipeline, output, eventually } = stage;
  const { dynamoDb } = pipeline;
  const TableName = output('InsightsTableName');
  const positions = await dynamoDb.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ExpressionAttributeValues: { ':pk': { S: 'checkpoint' } },
    }),
  );
  for (const item of positions.Items ?? [])
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key: keyAttributes(keyOfItem(item)) }));
  const stored = async (key: Parameters<typeof keyAttributes>[0]) => {
    const input = { TableName, Key: keyAttributes(key), ConsistentRead: true };
    return (await dynamoDb.send(new GetItemCommand(input))).Item;
  };

  const [phone, sendId] = [anotherPhone(), randomUUID()];
  const message = reported({ status: 'sent', phone, sendId });
  const now = new Date().toISOString();
  const reply = { kind: 'sms.reply', eventId: randomUUID(), replyId: randomUUID(), from: phone } as const;
  const { messageId } = message;
  await historyWriter(stage).storeReply(
    replyOf({ ...reply, messageId, text: 'thanks', occurredAt: now }, now),
  );
  const waiting = waitingRepliesKey(messageId);
  await eventually(
    'the reply waits for its message',
    async () => (await stored(waiting))?.replies?.N === '1',
  );
  await historyWriter(stage).storeMessage(message);
  const send = cohortKey({ kind: 'send', sendId });
  await eventually('both count in the send', async () => {
    const item = await stored(send);
    return item?.sent?.N === '1' && item.replies?.N === '1';
  });
  await eventually('the reply waits no more', async () => (await stored(waiting)) === undefined);
};
