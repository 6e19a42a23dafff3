import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type FailedDelivery, openTicket } from './open-ticket.ts';

const client = new DynamoDBClient();

export const handler = ({ detail }: { readonly detail: FailedDelivery }): Promise<void> =>
  openTicket(client, process.env.TICKETS_TABLE_NAME ?? '', detail);
