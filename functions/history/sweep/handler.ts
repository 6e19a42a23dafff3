import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { invocationDeadline } from '../../base/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createHistoryLists } from '../lists/history-list-store.ts';
import { createStaleMarker } from './stale-marker-store.ts';
import { type SweepDependencies, sweep } from './sweep.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  LIST_SHARDS: 'integer',
  STALE_AFTER_HOURS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);

const tableName = environment.HISTORY_TABLE_NAME;
const settings = {
  retentionDays: environment.RETENTION_DAYS,
  listShards: environment.LIST_SHARDS,
};

const dependencies: SweepDependencies = {
  pending: createHistoryLists(dynamoDb, tableName, settings.listShards).pending,
  marker: createStaleMarker(dynamoDb, tableName, settings),
  staleAfterHours: environment.STALE_AFTER_HOURS,
  clock: Date.now,
  log,
  count,
};

/** Time at the end of the invocation in which no page is read and no write begins, in milliseconds. */
const reservedMs = 10_000;

/** Marks messages that have waited too long for a final report. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => sweep(dependencies, invocationDeadline(context, reservedMs)));
