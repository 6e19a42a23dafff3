import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { clientSettings } from '../adapters/client-settings.ts';
import { createHistoryLists } from '../adapters/history-lists.ts';
import { createStaleMarker } from '../adapters/stale-marker.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { count, log, observability } from '../runtime/observability.ts';
import { type SweepDependencies, sweep } from './sweep.ts';

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
