import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { exportDays } from './export-days.ts';
import { createTableExports } from './table-export-client.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({ HISTORY_TABLE_ARN: 'text', EXPORT_BUCKET_NAME: 'text' });

/** No caller waits for the answer, and calls about tables may take longer than calls about items. */
const dynamoDb = new DynamoDBClient({
  ...clientSettings,
  maxAttempts: 3,
  requestHandler: { ...clientSettings.requestHandler, connectionTimeout: 2000, requestTimeout: 5000 },
});

const exports = createTableExports(dynamoDb, environment.HISTORY_TABLE_ARN, environment.EXPORT_BUCKET_NAME);

/** Requests the exports that are missing. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler(() => exportDays(exports, log, count));
