import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import middy from '@middy/core';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createHistoryLists } from '../../history/io.ts';
import { createCounterReads } from '../../insights/io.ts';
import { createEventBus } from '../../publish/io.ts';
import { type RunWatchDependencies, runWatch } from './run-watch.ts';
import { createWatchStore } from './watch-state-store.ts';

const environment = readEnvironment({
  EVENT_BUS_NAME: 'text',
  PIPELINE_NAME: 'text',
  HISTORY_TABLE_NAME: 'text',
  INSIGHTS_TABLE: 'text',
  LIST_SHARDS: 'integer',
});
const dynamoDb = new DynamoDBClient(clientSettings);

const dependencies: RunWatchDependencies = {
  counters: createCounterReads(dynamoDb, environment.INSIGHTS_TABLE, Date.now),
  lists: createHistoryLists(dynamoDb, environment.HISTORY_TABLE_NAME, environment.LIST_SHARDS),
  store: createWatchStore(dynamoDb, environment.INSIGHTS_TABLE),
  bus: createEventBus(new EventBridgeClient(clientSettings), {
    busName: environment.EVENT_BUS_NAME,
    pipeline: environment.PIPELINE_NAME,
  }),
  clock: Date.now,
  log: createLog(logCatalogue),
  count,
};

/** Watches delivery rates, times to delivery and error reasons. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler(() => runWatch(dependencies));
