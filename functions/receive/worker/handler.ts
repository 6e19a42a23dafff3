import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import contract from '#contract';
import expected from '#expected';
import keywords from '#keywords' with { type: 'json' };
import * as scheme from '#signature';
import { identityHash } from '../../../contract/events/body.ts';
import { createMapper } from '../../../contract/events/mapping.ts';
import { requestForms } from '../../../contract/schema/request-form.ts';
import { headersReadBy, tokenReaderOf, verifierOf } from '../../../contract/signature/by-method.ts';
import { invocationDeadline } from '../../base/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createMessageVisibility } from '../../base/sqs-queue.ts';
import { createKeywords } from '../../history/index.ts';
import {
  createDriftObserver,
  createDriftRegister,
  createHistoryWriter,
  createOptOutRegister,
} from '../../history/io.ts';
import { createConfirmedByHand } from '../../registration/index.ts';
import { createWebhookSecretStore, createWebhookStateTable } from '../../registration/io.ts';
import { bodyOfEvent } from '../quarantine/body-of-event.ts';
import { createQuarantine } from '../quarantine/quarantine-store.ts';
import { createRecordVerified } from './record-verified.ts';
import { type WorkDependencies, workBatch } from './work-batch.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  EVENTS_QUEUE_URL: 'url',
  HISTORY_TABLE_NAME: 'text',
  QUARANTINE_TABLE_NAME: 'text',
  WEBHOOK_SECRET_ID: 'text',
  WEBHOOK_STATE_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  QUARANTINE_RETENTION_DAYS: 'integer',
  LIST_SHARDS: 'integer',
  OPT_OUTS_BY_SOURCE: ['on', 'off'],
  REGISTRATION: ['on', 'off'],
  SOURCE: 'text',
});
const historySettings = { retentionDays: environment.RETENTION_DAYS, listShards: environment.LIST_SHARDS };
const { signature, reads } = contract.webhook;
const forms = requestForms(contract.webhook);
const map = createMapper(contract, expected);
const dynamoDb = new DynamoDBClient(clientSettings);
const state = createWebhookStateTable(dynamoDb, environment.WEBHOOK_STATE_TABLE_NAME);
const secret = createWebhookSecretStore(
  new SecretsManagerClient(clientSettings),
  environment.WEBHOOK_SECRET_ID,
);

const dependencies: WorkDependencies = {
  parked: {
    verify: verifierOf(forms, scheme),
    tokenIn: tokenReaderOf(forms, scheme),
    readsQuery: reads?.query !== undefined,
    state: environment.REGISTRATION === 'on' ? state : createConfirmedByHand(secret, Date.now),
    secret,
    harmlessHeaders: headersReadBy(forms, scheme).signatures,
    visibility: createMessageVisibility(new SQSClient(clientSettings), environment.EVENTS_QUEUE_URL),
    log,
    count,
  },
  recordVerified: signature.scheme === 'none' ? undefined : createRecordVerified(state, Date.now, log),
  map,
  bodyOf: (event, request) => bodyOfEvent(event, contract, map, request),
  source: environment.SOURCE,
  history: createHistoryWriter(dynamoDb, environment.HISTORY_TABLE_NAME, historySettings),
  optOuts: createOptOutRegister(dynamoDb, environment.HISTORY_TABLE_NAME, {
    ...historySettings,
    optOutsBySource: environment.OPT_OUTS_BY_SOURCE === 'on',
  }),
  keywordOf: createKeywords(keywords),
  quarantine: createQuarantine(
    dynamoDb,
    environment.QUARANTINE_TABLE_NAME,
    { retentionDays: environment.QUARANTINE_RETENTION_DAYS, listShards: environment.LIST_SHARDS },
    identityHash(contract),
    environment.SOURCE,
  ),
  observeDrift: createDriftObserver(
    createDriftRegister(dynamoDb, environment.HISTORY_TABLE_NAME),
    Date.now,
    log,
    count,
    environment.SOURCE,
  ),
  clock: Date.now,
  log,
  count,
};

/** The worker begins no write when less than this is left of the invocation, in milliseconds. */
const reservedMs = 5000;

/** Stores queued webhook requests. The response to an SQS batch names the messages that SQS must redeliver. */
export const handler = middy<SQSEvent, SQSBatchResponse>()
  .use(observability())
  .handler(async ({ Records }, context) => {
    const queueMessages = Records.map(({ messageId, receiptHandle, body, attributes }) => ({
      messageId,
      receiptHandle,
      receiveCount: Number(attributes.ApproximateReceiveCount),
      body,
      sentAt: Number(attributes.SentTimestamp),
      firstReceivedAt: Number(attributes.ApproximateFirstReceiveTimestamp),
    }));
    const failed = await workBatch(queueMessages, dependencies, invocationDeadline(context, reservedMs));
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  });
