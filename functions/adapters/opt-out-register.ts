import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { OptOut, OptOutChange } from '../core/opt-out/opt-out.ts';
import { type Item, optOutKey, shardOf } from './history-items.ts';

/** Which numbers want no more messages: an item a number in the history table, which does not expire. */
export interface OptOutRegister {
  /** Of several changes the newest counts, in whatever order and however often they come. */
  record(change: OptOutChange): Promise<void>;
}

export function createOptOutRegister(
  client: DynamoDBClient,
  tableName: string,
  worklistShards: number,
): OptOutRegister {
  return {
    async record({ phone, state, at, replyId }) {
      const shard = shardOf(phone, worklistShards);
      // Of one moment the reply with the greater id stands, and of its versions the one that says "out".
      const isNewer = `attribute_not_exists(#changedAt) OR #changedAt < :at OR (#changedAt = :at AND (#replyId < :replyId${
        state === 'out' ? ' OR (#replyId = :replyId AND #state <> :state)' : ''
      }))`;
      const places =
        state === 'out' ? ', #worklist = :worklist, #listedAt = :at' : ' REMOVE #worklist, #listedAt';
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { pk: { S: optOutKey(phone) } },
            UpdateExpression: `SET #number = :number, #state = :state, #changedAt = :at, #replyId = :replyId${places}`,
            ConditionExpression: isNewer,
            ExpressionAttributeNames: {
              '#number': 'number',
              '#state': 'state',
              '#changedAt': 'changedAt',
              '#replyId': 'replyId',
              '#worklist': 'worklist',
              '#listedAt': 'listedAt',
            },
            ExpressionAttributeValues: marshall({
              ':number': phone.toWellFormed(),
              ':state': state,
              ':at': at,
              ':replyId': replyId.toWellFormed(),
              ...(state === 'out' ? { ':worklist': `optout#${shard}` } : {}),
            }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}

/** What an item of the register says of a number, whether it wants messages or not. */
export function optOutChangeFromItem(item: Item): OptOutChange {
  const { number: phone, state, changedAt: at, replyId } = unmarshall(item);
  return { phone, state, at, replyId };
}

/** @returns undefined for a number that wants messages again */
export function optOutFromItem(item: Item): OptOut | undefined {
  const { state, ...optOut } = optOutChangeFromItem(item);
  return state === 'out' ? optOut : undefined;
}
