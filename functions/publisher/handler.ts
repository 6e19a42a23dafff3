import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import keywords from '#keywords' with { type: 'json' };
import { clientSettings } from '../adapters/client-settings.ts';
import { createEventBus } from '../adapters/event-bus.ts';
import { createPublishFailures } from '../adapters/publish-failures.ts';
import { sleep } from '../adapters/sms-service/ports.ts';
import { createKeywords } from '../core/opt-out/keyword.ts';
import { readEnvironment } from '../runtime/environment.ts';
import { count, log, observability } from '../runtime/observability.ts';
import { type PublishDependencies, publishBatch } from './publish-batch.ts';

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
