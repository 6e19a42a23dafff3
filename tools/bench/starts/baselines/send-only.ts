import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { clientSettings } from '../../../../functions/base/handler-settings.ts';

const client = new SQSClient(clientSettings);
const { EVENTS_QUEUE_URL } = process.env;

/** Sends the body to SQS with the client that ingest has, unverified: the rest of ingest is its own. */
export const handler = async ({ body }: APIGatewayProxyEventV2) => {
  await client.send(new SendMessageCommand({ QueueUrl: EVENTS_QUEUE_URL, MessageBody: body }));
  return { statusCode: 200 };
};
