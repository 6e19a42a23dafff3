import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { clientSettings } from '../adapters/client-settings.ts';
import { createHistoryLists } from '../adapters/history-lists.ts';
import { createHistoryReader } from '../adapters/history-reader.ts';
import { createQuarantineReader } from '../adapters/quarantine-reader.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { count, log, observability } from '../runtime/observability.ts';
import { createAnswerQuery } from './answer-query.ts';

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  QUARANTINE_TABLE_NAME: 'text',
  WORKLIST_SHARDS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);

const answerQuery = createAnswerQuery({
  reader: createHistoryReader(dynamoDb, environment.HISTORY_TABLE_NAME),
  lists: createHistoryLists(dynamoDb, environment.HISTORY_TABLE_NAME, environment.WORKLIST_SHARDS),
  quarantine: createQuarantineReader(dynamoDb, environment.QUARANTINE_TABLE_NAME),
  clock: Date.now,
  log,
  count,
});

/** Answers questions about delivery history: an API Gateway HTTP API event, payload format 2.0, authorized by IAM. */
export const handler = middy<APIGatewayProxyEventV2>()
  .use(observability())
  .handler((event) => answerQuery(event));
