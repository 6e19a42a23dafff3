import { SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { createMessageVisibility, createQueueSender } from '../../aws/sqs-queue.ts';
import { clientSettings, type Environment } from '../../runtime/handler-settings.ts';
import { count, createLog, observability } from '../../runtime/instrumentation.ts';
import { logCatalogue } from '../../runtime/log-catalogue.ts';
import { type WorkOptions, workMessages } from './work-messages.ts';

const log = createLog(logCatalogue);

/** What every automation with a queue reads from its environment. */
export const queueVariables = { QUEUE_URL: 'url', DEAD_LETTER_QUEUE_URL: 'url' } as const;

export interface QueueAutomation extends Pick<WorkOptions, 'delaysSeconds' | 'concurrency'> {
  /**
   * Gives what is to be done for each message of one invocation; see {@link WorkOptions.handle}.
   *
   * @param end milliseconds since the epoch at which the invocation ends
   */
  begin(end: number): WorkOptions['handle'];
}

/** The handler of an automation with a queue: an SQS batch, answered with the messages that must come again. */
export function createQueueHandler(
  { QUEUE_URL, DEAD_LETTER_QUEUE_URL }: Environment<typeof queueVariables>,
  { begin, delaysSeconds, concurrency }: QueueAutomation,
) {
  const sqs = new SQSClient(clientSettings);
  const visibility = createMessageVisibility(sqs, QUEUE_URL);
  const deadLetters = createQueueSender(sqs, DEAD_LETTER_QUEUE_URL);
  return middy<SQSEvent, SQSBatchResponse>()
    .use(observability())
    .handler(({ Records }, invocation) => {
      const handle = begin(Date.now() + invocation.getRemainingTimeInMillis());
      const clock = Date.now;
      return workMessages(Records, {
        handle,
        visibility,
        deadLetters,
        delaysSeconds,
        concurrency,
        clock,
        random: Math.random,
        log,
        count,
        invocation,
      });
    });
}
