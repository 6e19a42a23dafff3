import { setTimeout as sleep } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import keywords from '#keywords' with { type: 'json' };
import { invocationDeadline } from '../../base/basics.ts';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createKeywords, createStopHints } from '../../history/index.ts';
import { createEventBus, createPublishFailures } from '../bus/event-bus-client.ts';
import { type PublishDependencies, publishBatch } from './publish-batch.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  EVENT_BUS_NAME: 'text',
  PIPELINE_NAME: 'text',
  FAILURES_QUEUE_URL: 'url',
  EVERY_EVENT: ['off', 'on'],
});
const keywordOf = createKeywords(keywords);

const dependencies: PublishDependencies = {
  bus: createEventBus(new EventBridgeClient(clientSettings), {
    busName: environment.EVENT_BUS_NAME,
    pipeline: environment.PIPELINE_NAME,
  }),
  failures: createPublishFailures(new SQSClient(clientSettings), environment.FAILURES_QUEUE_URL),
  options: {
    everyEvent: environment.EVERY_EVENT === 'on',
    keywordOf,
    mayMeanStop: createStopHints(keywordOf),
  },
  sleep,
  random: Math.random,
  clock: Date.now,
  log,
  count,
};

/** A call that hangs takes about six seconds. */
const reservedMs = 7000;

/** Publishes a batch of the history table's stream, and returns the record from which Lambda has to retry. */
export const handler = middy<DynamoDBStreamEvent, DynamoDBBatchResponse>()
  .use(observability())
  .handler(async ({ Records }, context) => {
    const failed = await publishBatch(Records, dependencies, invocationDeadline(context, reservedMs));
    return { batchItemFailures: failed === undefined ? [] : [{ itemIdentifier: failed }] };
  });
