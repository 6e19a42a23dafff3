import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createQueueSender } from '../../base/sqs-queue.ts';
import { type Envelope, encodeEnvelope } from '../envelope.ts';
import { parseQuarantineId } from './quarantine.ts';
import { quarantineKeys } from './quarantine-store.ts';

/** Removes an entry from quarantine, if it is there. @param id as the quarantine's list shows it */
export type RemoveQuarantined = (id: string) => Promise<void>;

/** Sends the request of a quarantine entry to the worker and removes the entry. */
export interface Requeue {
  /** Resolves once the queue has confirmed the request; throws in every other case. */
  send(envelope: Envelope): Promise<void>;
  readonly remove: RemoveQuarantined;
}

/** @param listShards the largest number of shards that the writers ever used */
export function createQuarantineRemoval(
  client: DynamoDBClient,
  tableName: string,
  listShards: number,
): RemoveQuarantined {
  return async (id) => {
    const parsed = parseQuarantineId(id);
    if (parsed === undefined) return;
    for (const Key of quarantineKeys(parsed, listShards)) {
      const { Attributes } = await client.send(
        new DeleteItemCommand({ TableName: tableName, Key, ReturnValues: 'ALL_OLD' }),
      );
      if (Attributes !== undefined) return;
    }
  };
}

/**
 * @param listShards the largest number of shards that the writers ever used
 * @param queueUrl of the events queue
 */
export function createRequeue(
  dynamoDb: DynamoDBClient,
  tableName: string,
  listShards: number,
  sqs: SQSClient,
  queueUrl: string,
): Requeue {
  const events = createQueueSender(sqs, queueUrl);
  return {
    send: (envelope) => events.send(encodeEnvelope(envelope)),
    remove: createQuarantineRemoval(dynamoDb, tableName, listShards),
  };
}
