import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import contract from '#contract' with { type: 'json' };
import { clientSettings } from '../adapters/client-settings.ts';
import { createHistoryWriter } from '../adapters/history-writer.ts';
import { createQuarantine } from '../adapters/quarantine-table.ts';
import { createMapper } from '../core/events/mapping.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { count, log, observability } from '../runtime/observability.ts';
import { storeBatch } from './store-batch.ts';

const environment = readEnvironment({
  HISTORY_TABLE_NAME: 'text',
  QUARANTINE_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  QUARANTINE_RETENTION_DAYS: 'integer',
  WORKLIST_SHARDS: 'integer',
});
const client = new DynamoDBClient(clientSettings);
const dependencies = {
  map: createMapper(contract),
  history: createHistoryWriter(client, environment.HISTORY_TABLE_NAME, {
    retentionDays: environment.RETENTION_DAYS,
    worklistShards: environment.WORKLIST_SHARDS,
  }),
  quarantine: createQuarantine(
    client,
    environment.QUARANTINE_TABLE_NAME,
    environment.QUARANTINE_RETENTION_DAYS,
  ),
  log,
  count,
};

/** Stores queued webhook requests: an SQS batch, answered with the messages that must come again. */
export const handler = middy<SQSEvent, SQSBatchResponse>()
  .use(observability())
  .handler(async ({ Records }, context) => {
    const queueMessages = Records.map(({ messageId, body, attributes }) => ({
      messageId,
      body,
      sentAt: Number(attributes.SentTimestamp),
    }));
    const failed = await storeBatch(queueMessages, dependencies, () => context.getRemainingTimeInMillis());
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  });
