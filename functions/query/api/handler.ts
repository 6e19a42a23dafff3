import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import type { ContractFacts } from '../../../contract/events/contract-facts.ts';
import { numberFormats } from '../../../contract/phone/phone-number.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createHistoryLists, createHistoryReader, createOptOutReader } from '../../history/io.ts';
import { createCounterReads } from '../../insights/io.ts';
import { createQuarantineReader } from '../../receive/io.ts';
import { createAnswerQuery } from './answer-query.ts';
import { createIdMaskReader } from './id-mask-key-store.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  QUARANTINE_TABLE_NAME: 'text',
  LIST_SHARDS: 'integer',
  INSIGHTS_TABLE: 'optional',
  NUMBERS: numberFormats,
  DEFAULT_COUNTRY: 'optional',
  GROUPS_CLAIM: 'text',
  SOURCES: 'list',
  CONTRACTS: 'text',
  POWERTOOLS_METRICS_NAMESPACE: 'text',
});
const contractFacts: z.ZodType<ContractFacts> = z.object({
  source: z.string(),
  hash: z.string(),
  service: z.string().nullable(),
  delivered: z.array(z.string()),
});
const dynamoDb = new DynamoDBClient(clientSettings);

const answerQuery = createAnswerQuery({
  reader: createHistoryReader(dynamoDb, environment.HISTORY_TABLE_NAME),
  lists: createHistoryLists(dynamoDb, environment.HISTORY_TABLE_NAME, environment.LIST_SHARDS),
  optOuts: createOptOutReader(dynamoDb, environment.HISTORY_TABLE_NAME),
  quarantine: createQuarantineReader(dynamoDb, environment.QUARANTINE_TABLE_NAME, environment.LIST_SHARDS),
  counters:
    environment.INSIGHTS_TABLE === ''
      ? undefined
      : createCounterReads(dynamoDb, environment.INSIGHTS_TABLE, Date.now),
  sources: environment.SOURCES,
  clock: Date.now,
  numberRules: { numbers: environment.NUMBERS, defaultCountry: environment.DEFAULT_COUNTRY || null },
  groupsClaim: environment.GROUPS_CLAIM,
  idMask: createIdMaskReader(dynamoDb, environment.HISTORY_TABLE_NAME),
  contracts: z.array(contractFacts).parse(JSON.parse(environment.CONTRACTS)),
  pipeline: environment.POWERTOOLS_METRICS_NAMESPACE,
  log,
  count,
});

/** Answers queries of the delivery history. The event is one of an API Gateway HTTP API, payload format 2.0, authorized by IAM, or by the token of a user of the console. */
export const handler = middy<APIGatewayProxyEventV2>()
  .use(observability())
  .handler((event) => answerQuery(event));
