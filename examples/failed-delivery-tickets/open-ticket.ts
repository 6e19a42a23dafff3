import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Details } from '../../lib/index.ts';

export type FailedDelivery = Details['SMS Delivery Status Changed'];

/**
 * Opens one ticket for a failed delivery, however often its event comes: the event's id is the ticket's key. No number is copied
 * into it; who works on the ticket finds the message by its id.
 */
export async function openTicket(
  client: DynamoDBClient,
  tableName: string,
  { eventId, messageId, status, errorCode, occurredAt }: FailedDelivery,
): Promise<void> {
  const ticket = new PutItemCommand({
    TableName: tableName,
    Item: {
      eventId: { S: eventId },
      messageId: { S: messageId },
      status: { S: status },
      occurredAt: { S: occurredAt },
      ...(errorCode === undefined ? {} : { errorCode: { S: errorCode } }),
    },
    ConditionExpression: 'attribute_not_exists(eventId)',
  });
  try {
    await client.send(ticket);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
