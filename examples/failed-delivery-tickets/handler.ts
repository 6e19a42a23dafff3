import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SmsEvent } from '../../events/index.ts';
import { openTicket } from './open-ticket.ts';

const client = new DynamoDBClient();

export const handler = ({ detail }: SmsEvent<'SMS Delivery Status Changed'>): Promise<void> =>
  openTicket(client, process.env.TICKETS_TABLE_NAME ?? '', detail);
