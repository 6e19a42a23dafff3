import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod';
import contract from '#contract';
import { mainSource, wordsOf } from '../../../contract/events/source-id.ts';
import { readRingingAlarms } from '../../base/alarms-client.ts';
import { clientSettings, createLog, observability, readEnvironment } from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createQueueCount } from '../../base/sqs-queue.ts';
import { readDriftDay } from '../../history/io.ts';
import { createQuarantineReader, createRequeue } from '../../receive/io.ts';
import { createWebhookStateTable } from '../../registration/io.ts';
import { createAnswerRequest } from './answer-request.ts';
import { type DeployedSource, deployedHealth } from './deployed-health.ts';
import { type FurtherSource, furtherSource } from './further-source.ts';
import { createHealthReader } from './read-health.ts';

const environment = readEnvironment({
  EVENTS_QUEUE_URL: 'url',
  DEAD_LETTER_QUEUE_URL: 'url',
  HISTORY_TABLE_NAME: 'text',
  QUARANTINE_TABLE_NAME: 'text',
  LIST_SHARDS: 'integer',
  WEBHOOK_STATE_TABLE_NAME: 'text',
  GROUPS_CLAIM: 'text',
  REGISTRATION: ['on', 'off'],
  STACK_NAME: 'text',
  FURTHER_SOURCES: 'text',
});
const furtherSources = z.array(furtherSource).parse(JSON.parse(environment.FURTHER_SOURCES));
const dynamoDb = new DynamoDBClient(clientSettings);
const cloudWatch = new CloudWatchClient(clientSettings);
const sqs = new SQSClient(clientSettings);
const quarantineTable = environment.QUARANTINE_TABLE_NAME;

const answerRequest = createAnswerRequest({
  health: createHealthReader(
    deployedHealth({
      sources: [
        {
          source: mainSource,
          state: createWebhookStateTable(dynamoDb, environment.WEBHOOK_STATE_TABLE_NAME),
          countEvents: createQueueCount(sqs, 'EventsQueueUrl', environment.EVENTS_QUEUE_URL),
          countDeadLetters: createQueueCount(sqs, 'DeadLetterQueueUrl', environment.DEAD_LETTER_QUEUE_URL),
          isRegistering: environment.REGISTRATION === 'on',
        },
        ...furtherSources.map(deployedSource),
      ],
      readAlarms: () => readRingingAlarms(cloudWatch, environment.STACK_NAME),
      readDrift: (day) => readDriftDay(dynamoDb, environment.HISTORY_TABLE_NAME, day),
      clock: Date.now,
    }),
  ),
  // The function has the contract and the queue of `main` only.
  replay: {
    source: mainSource,
    contract,
    quarantine: createQuarantineReader(dynamoDb, quarantineTable, environment.LIST_SHARDS),
    requeue: createRequeue(
      dynamoDb,
      quarantineTable,
      environment.LIST_SHARDS,
      sqs,
      environment.EVENTS_QUEUE_URL,
    ),
  },
  groupsClaim: environment.GROUPS_CLAIM,
  log: createLog(logCatalogue),
});

function deployedSource({ source, events, deadLetters, state, registers }: FurtherSource): DeployedSource {
  // The queues of all sources are in one account and region.
  const urlOf = (name: string) => new URL(name, environment.EVENTS_QUEUE_URL).href;
  const output = (queue: string) => `Source${wordsOf(source)}${queue}QueueUrl`;
  return {
    source,
    state: createWebhookStateTable(dynamoDb, state),
    countEvents: createQueueCount(sqs, output('Events'), urlOf(events)),
    countDeadLetters: createQueueCount(sqs, output('DeadLetter'), urlOf(deadLetters)),
    isRegistering: registers,
  };
}

/** Answers the health and replays for users of the deployed console. The event is one of an API Gateway HTTP API, payload format 2.0, authorized by a token. */
export const handler = middy<APIGatewayProxyEventV2>()
  .use(observability())
  .handler((event) => answerRequest(event));
