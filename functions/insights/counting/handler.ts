import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import keywords from '#keywords' with { type: 'json' };
import { invocationDeadline } from '../../base/basics.ts';
import { clientSettings, createLog, observability, readEnvironment } from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createKeywords } from '../../history/index.ts';
import { maxCodes } from '../counters/count-names.ts';
import { createCounterWriter } from '../counters/counter-write-store.ts';
import { type CountDependencies, countBatch } from './count-batch.ts';

const environment = readEnvironment({
  INSIGHTS_TABLE: 'text',
  HISTORY_TABLE_NAME: 'text',
  RETENTION_DAYS: 'integer',
  HOUR_RETENTION_DAYS: 'integer',
});

const log = createLog(logCatalogue);

const dependencies: CountDependencies = {
  counters: createCounterWriter(
    new DynamoDBClient(clientSettings),
    { insights: environment.INSIGHTS_TABLE, history: environment.HISTORY_TABLE_NAME },
    { retentionDays: environment.RETENTION_DAYS, hourRetentionDays: environment.HOUR_RETENTION_DAYS },
    Date.now,
    () => log('CODES_FULL', { codes: maxCodes }),
  ),
  keywordOf: createKeywords(keywords),
  sleep,
  random: Math.random,
  log,
};

/** A call that hangs takes about six seconds. */
const reservedMs = 8000;

/** A batch of a stream whose mapping has a tumbling window (Lambda Developer Guide, "Implementing stateful DynamoDB stream processing"). */
interface WindowEvent {
  readonly Records?: readonly DynamoDBRecord[];
  readonly shardId?: string;
}

/** Lambda takes a response without a state as a failure. The state is always empty, because the table has all that must be remembered. */
interface WindowResponse extends DynamoDBBatchResponse {
  readonly state: Readonly<Record<string, never>>;
}

/** Counts a batch of the history table's stream, and returns the record from which Lambda has to retry. */
export const handler = middy<WindowEvent, WindowResponse>()
  .use(observability())
  .handler(async ({ Records = [], shardId }, context) => {
    // Only the event of a tumbling window names the shard.
    if (shardId === undefined)
      throw new Error('The event names no shard: the mapping needs a tumbling window.');
    const failed = await countBatch(shardId, Records, dependencies, invocationDeadline(context, reservedMs));
    return { state: {}, batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  });
