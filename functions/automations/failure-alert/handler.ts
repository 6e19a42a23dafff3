import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import {
  clientSettings,
  count,
  createLog,
  observability,
  readEnvironment,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createNotices } from '../../base/notices-client.ts';
import { createQueueDrain } from '../../base/sqs-queue.ts';
import { type AlertDependencies, alertFailures } from './alert-failures.ts';

const log = createLog(logCatalogue);

const environment = readEnvironment({
  QUEUE_URL: 'url',
  NOTICES_TOPIC_ARN: 'text',
  ALERT_PERIOD_MINUTES: 'integer',
});

const dependencies: AlertDependencies = {
  queue: createQueueDrain(new SQSClient(clientSettings), environment.QUEUE_URL),
  notices: createNotices(new SNSClient(clientSettings), environment.NOTICES_TOPIC_ARN),
  periodMinutes: environment.ALERT_PERIOD_MINUTES,
  log,
  count,
};

/** Sends notices about failed messages. It runs on a schedule and ignores the event payload. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => alertFailures(dependencies, context));
