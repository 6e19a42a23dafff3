import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Details } from '../../events/index.ts';

type FailedDelivery = Details['SMS Delivery Status Changed'];

/**
 * Opens one ticket for a failed delivery, even if its event is redelivered: the event's id is the ticket's key. The ticket has no
 * phone number; its reader finds the message by its id.
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
