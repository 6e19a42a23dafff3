import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Item, messageKey } from '../../history/index.ts';
import { keyAttributes } from './counter-items.ts';
import { checkpointKey, type ShardState } from './shard-state.ts';
import type { Tally } from './tally.ts';

/** The parts of the transactions that write counters. */

/** Epoch seconds, as DynamoDB writes a number. */
export interface Expiry {
  readonly N: string;
}

/** Moves a shard's checkpoint on, under the condition that it is as it was read. */
export function checkpointAction(
  tableName: string,
  { shardId, counted: read }: ShardState,
  counted: string,
  expiresAt: Expiry,
): TransactWriteItem {
  return {
    Update: {
      TableName: tableName,
      Key: keyAttributes(checkpointKey(shardId)),
      UpdateExpression: 'SET #countedTo = :countedTo, #expiresAt = :expiresAt',
      ConditionExpression: read === undefined ? 'attribute_not_exists(#countedTo)' : '#countedTo = :read',
      ExpressionAttributeNames: { '#countedTo': 'countedTo', '#expiresAt': 'expiresAt' },
      ExpressionAttributeValues: {
        ':countedTo': { S: counted },
        ':expiresAt': expiresAt,
        ...(read !== undefined && { ':read': { S: read } }),
      },
    },
  };
}

/** Adds counts to an item, and sets other attributes. */
export function addition(tableName: string, key: { pk: string; sk: string }, tally: Tally, sets: Item) {
  const counts = Object.entries(tally);
  const others = Object.entries(sets);
  const clauses = [
    counts.length > 0 && `ADD ${counts.map((_, index) => `#${index} :${index}`).join(', ')}`,
    others.length > 0 && `SET ${others.map(([name]) => `#${name} = :${name}`).join(', ')}`,
  ];
  return {
    TableName: tableName,
    Key: keyAttributes(key),
    UpdateExpression: clauses.filter((clause) => clause !== false).join(' '),
    ExpressionAttributeNames: Object.fromEntries([
      ...counts.map(([name], index) => [`#${index}`, name]),
      ...others.map(([name]) => [`#${name}`, name]),
    ]),
    ExpressionAttributeValues: Object.fromEntries([
      ...counts.map(([, count], index) => [`:${index}`, { N: String(count) }]),
      ...others.map(([name, value]) => [`:${name}`, value]),
    ]),
  };
}

/**
 * Checks that no send of a message is known. Replies wait for it only then: so either their transaction fails because of the send, or the
 * change that brings the send finds the waiting replies.
 */
export function sendlessCheck(historyTable: string, messageId: string): TransactWriteItem {
  return {
    ConditionCheck: {
      TableName: historyTable,
      Key: { pk: { S: messageKey(messageId) } },
      ConditionExpression: 'attribute_not_exists(#sendId)',
      ExpressionAttributeNames: { '#sendId': 'sendId' },
    },
  };
}

/** Deletes waiting replies, under the condition that no reply was added. */
export function deletionOf(tableName: string, { pk, sk, replies, optOuts }: Item): TransactWriteItem {
  const counts = Object.entries({ replies, optOuts });
  return {
    Delete: {
      TableName: tableName,
      Key: { pk, sk } as Item,
      ConditionExpression: counts
        .map(([name, value]) =>
          value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}`,
        )
        .join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(counts.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        counts.flatMap(([name, value]) => (value === undefined ? [] : [[`:${name}`, value]])),
      ),
    },
  };
}
