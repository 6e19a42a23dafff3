import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import { createHistoryLists } from '../lists/history-list-store.ts';
import { invocationDeadline } from '../runtime/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../runtime/handler-settings.ts';
import { logCatalogue } from '../runtime/log-catalogue.ts';
import { createOpenHours } from './open-hours-store.ts';
import { createPendingLister, createStaleMarker } from './stale-marker-store.ts';
import { type SweepDependencies, sweep } from './sweep.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  OPEN_BATCHES_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  WORKLIST_SHARDS: 'integer',
  STALE_AFTER_HOURS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);

const tables = { history: environment.HISTORY_TABLE_NAME, openBatches: environment.OPEN_BATCHES_TABLE_NAME };
const settings = {
  retentionDays: environment.RETENTION_DAYS,
  worklistShards: environment.WORKLIST_SHARDS,
};

const dependencies: SweepDependencies = {
  pending: createHistoryLists(dynamoDb, tables, settings.worklistShards).pending,
  marker: createStaleMarker(dynamoDb, tables.history, settings),
  hours: createOpenHours(dynamoDb, tables.openBatches),
  lister: createPendingLister(dynamoDb, tables.history, settings),
  staleAfterHours: environment.STALE_AFTER_HOURS,
  clock: Date.now,
  log,
  count,
};

/** Time at the end of the invocation in which no page is read and no write begins, in milliseconds. */
const reservedMs = 10_000;

/** Marks messages that have waited too long for a final report, and lists the pending ones. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => sweep(dependencies, invocationDeadline(context, reservedMs)));
