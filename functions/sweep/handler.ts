import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { createHistoryLists } from '../lists/history-list-store.ts';
import { clientSettings, readEnvironment } from '../runtime/handler-settings.ts';
import { count, createLog, observability } from '../runtime/instrumentation.ts';
import { logCatalogue } from '../runtime/log-catalogue.ts';
import { createStaleMarker } from './stale-marker-store.ts';
import { type SweepDependencies, sweep } from './sweep.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  WORKLIST_SHARDS: 'integer',
  STALE_AFTER_HOURS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);

const dependencies: SweepDependencies = {
  pending: createHistoryLists(dynamoDb, environment.HISTORY_TABLE_NAME, environment.WORKLIST_SHARDS).pending,
  marker: createStaleMarker(dynamoDb, environment.HISTORY_TABLE_NAME, {
    retentionDays: environment.RETENTION_DAYS,
    worklistShards: environment.WORKLIST_SHARDS,
  }),
  staleAfterHours: environment.STALE_AFTER_HOURS,
  clock: Date.now,
  log,
  count,
};

/** Marks messages that have waited too long for a final report; runs by schedule, what it is invoked with says nothing. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => sweep(dependencies, () => context.getRemainingTimeInMillis()));
