import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import middy from '@middy/core';
import contract from '#contract';
import { deadlineAt, invocationDeadline } from '../base/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../base/handler-settings.ts';
import { systemPorts } from '../base/http-client.ts';
import { logCatalogue } from '../base/log-catalogue.ts';
import { readApiKey } from '../base/sms-service/api-key-store.ts';
import {
  createHistoryLists,
  createHistoryWriter,
  createOptOutRegister,
  readMessages,
} from '../history/io.ts';
import { handle } from './handle.ts';
import { createLookupStateStore } from './lookup-state-store.ts';
import { lookupsOf } from './one-source.ts';
import { createServiceLookups } from './service-lookups-client.ts';

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  API_KEY_SECRET_ID: 'text',
  LOOKUPS_BASE_URL: 'url',
  RETENTION_DAYS: 'integer',
  LIST_SHARDS: 'integer',
  OPT_OUTS_BY_SOURCE: ['on', 'off'],
  STALE_AFTER_HOURS: 'integer',
  LOOKUP_PRICES: ['on', 'off'],
  SOURCE: 'text',
});
const { lookups } = contract;
if (lookups === null) throw new Error('The contract has no "lookups", and this function needs them.');

const log = createLog(logCatalogue);
const dynamoDb = new DynamoDBClient(clientSettings);
const secretsManager = new SecretsManagerClient(clientSettings);
const tableName = environment.HISTORY_TABLE_NAME;
const settings = { retentionDays: environment.RETENTION_DAYS, listShards: environment.LIST_SHARDS };

const dependencies = {
  contract: lookups,
  source: environment.SOURCE,
  pending: createHistoryLists(dynamoDb, tableName, settings.listShards).pending,
  readMessages: (ids: readonly string[]) => readMessages(dynamoDb, tableName, ids),
  history: createHistoryWriter(dynamoDb, tableName, settings),
  optOuts: createOptOutRegister(dynamoDb, tableName, {
    ...settings,
    optOutsBySource: environment.OPT_OUTS_BY_SOURCE === 'on',
  }),
  state: createLookupStateStore(dynamoDb, tableName, environment.SOURCE),
  staleAfterHours: environment.STALE_AFTER_HOURS,
  keepsPrices: environment.LOOKUP_PRICES === 'on',
  readApiKey: () => readApiKey(secretsManager, environment.API_KEY_SECRET_ID),
  clock: Date.now,
  log,
  count,
};

/** Time at the end of the invocation in which no request begins, in milliseconds. A request with its retries takes 30 seconds at most. */
const reservedMs = 35_000;

/** Time at the end of the invocation by which every request has ended, also one that needs a new token. */
const reservedForEndMs = 5_000;

/** A person waits for the answer to a request, and a terminal shows progress between two of them. */
const maxRequestMs = 25_000;

/** Asks the service for messages: by the schedule, and at the request of `sms lookup`. */
export const handler = middy<unknown>()
  .use(observability())
  .handler((event, context) => {
    const deadline = invocationDeadline(context, reservedMs);
    return handle(event, {
      ...dependencies,
      deadline,
      requestDeadline: deadlineAt(Date.now() + maxRequestMs, Date.now),
      connect: (apiKey) =>
        lookupsOf(
          environment.SOURCE,
          createServiceLookups(contract, lookups, {
            baseUrl: environment.LOOKUPS_BASE_URL,
            apiKey,
            ports: systemPorts,
            deadline: invocationDeadline(context, reservedForEndMs),
          }),
        ),
    });
  });
