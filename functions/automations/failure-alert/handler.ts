import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import { clientSettings } from '../../adapters/client-settings.ts';
import { createNotices } from '../../adapters/notices.ts';
import { createQueueDrain } from '../../adapters/queue-drain.ts';
import { readEnvironment } from '../../runtime/environment.ts';
import { count, log, observability } from '../../runtime/observability.ts';
import { type AlertDependencies, alertFailures } from './alert-failures.ts';

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

/** Tells of messages that failed; runs by schedule, what it is invoked with says nothing. */
export const handler = middy<unknown, void>()
  .use(observability())
  .handler((_event, context) => alertFailures(dependencies, () => context.getRemainingTimeInMillis()));
