import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import keywords from '#keywords' with { type: 'json' };
import { createEventBus, createPublishFailures } from '../bus/event-bus-client.ts';
import { createKeywords } from '../opt-out/keyword.ts';
import { clientSettings, readEnvironment } from '../runtime/handler-settings.ts';
import { sleep } from '../runtime/http.ts';
import { count, createLog, observability } from '../runtime/instrumentation.ts';
import { logCatalogue } from '../runtime/log-catalogue.ts';
import { type PublishDependencies, publishBatch } from './publish-batch.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  EVENT_BUS_NAME: 'text',
  FAILURES_QUEUE_URL: 'url',
  EVERY_EVENT: ['off', 'on'],
});

const dependencies: PublishDependencies = {
  bus: createEventBus(new EventBridgeClient(clientSettings), environment.EVENT_BUS_NAME),
  failures: createPublishFailures(new SQSClient(clientSettings), environment.FAILURES_QUEUE_URL),
  settings: { everyEvent: environment.EVERY_EVENT === 'on', keywordOf: createKeywords(keywords) },
  sleep,
  random: Math.random,
  clock: Date.now,
  log,
  count,
};

/** Publishes what changed in the history: a batch of its table's stream, answered with the record to go on from. */
export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse>()
  .use(observability())
  .handler(async ({ Records }, context) => {
    const first = await publishBatch(Records, dependencies, () => context.getRemainingTimeInMillis());
    return { batchItemFailures: first === undefined ? [] : [{ itemIdentifier: first }] };
  });
