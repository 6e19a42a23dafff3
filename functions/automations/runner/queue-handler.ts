import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import {
  clientSettings,
  count,
  createLog,
  type Environment,
  observability,
} from '../../base/handler-settings.ts';
import { logCatalogue } from '../../base/log-catalogue.ts';
import { createMessageVisibility, createQueueSender } from '../../base/sqs-queue.ts';
import { closedBreaker, type WorkOptions, workMessages } from './work-messages.ts';

const log = createLog(logCatalogue);

/** The environment variables of every automation with a queue. */
export const queueVariables = { QUEUE_URL: 'url', DEAD_LETTER_QUEUE_URL: 'url' } as const;

export interface QueueAutomation extends Pick<WorkOptions, 'delaysSeconds' | 'concurrency'> {
  /**
   * Begins an invocation and returns the function that does the work of one message; see {@link WorkOptions.handle}.
   *
   * @param end milliseconds since the epoch at which the invocation ends
   */
  begin(end: number): WorkOptions['handle'];
}

/** Creates the handler of an automation with a queue. It works an SQS batch and returns the messages that have to be retried. */
export function createQueueHandler(
  { QUEUE_URL, DEAD_LETTER_QUEUE_URL }: Environment<typeof queueVariables>,
  { begin, delaysSeconds, concurrency }: QueueAutomation,
) {
  const sqs = new SQSClient(clientSettings);
  const breaker = closedBreaker();
  const visibility = createMessageVisibility(sqs, QUEUE_URL);
  const deadLetters = createQueueSender(sqs, DEAD_LETTER_QUEUE_URL);
  return middy<SQSEvent, SQSBatchResponse>()
    .use(observability())
    .handler(({ Records }, invocation) => {
      const handle = begin(Date.now() + invocation.getRemainingTimeInMillis());
      return workMessages(Records, {
        handle,
        visibility,
        deadLetters,
        delaysSeconds,
        concurrency,
        breaker,
        clock: Date.now,
        random: Math.random,
        log,
        count,
        invocation,
      });
    });
}
