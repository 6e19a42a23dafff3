import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import pMap from 'p-map';
import type { MessageVisibility } from '../adapters/message-visibility.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import { BusMessageError } from './bus-message.ts';

/** A failure after which a message is to come again at a time of its own. */
export class RetryLaterError extends Error {
  override readonly name: string = 'RetryLaterError';
  /** How long to wait at least, in seconds. */
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

export interface WorkOptions {
  /** What is to be done for one message; throws where it has to be done again. May be called again for the same one. */
  handle(body: string, receiveCount: number): Promise<void>;
  readonly visibility: MessageVisibility;
  /** How long a message waits after it failed for the nth time, in seconds, by n - 1; the last counts for all later ones. */
  readonly delaysSeconds: readonly number[];
  readonly concurrency: number;
  readonly log: Log;
  /** What is left of the function's time, in milliseconds. */
  remainingMs(): number;
}

/** SQS hides a message for 12 hours from when it was received, which is a while ago by now. */
const longestDelaySeconds = 12 * 3600 - 1200;

/** No message is begun when less than this is left: what one does may take so long. */
const reservedMs = 15_000;

/**
 * Works through the queue messages of a batch, each for itself: one that fails comes again, later each time, and goes to the
 * dead letter queue after the queue's last receive.
 */
export async function workMessages(
  records: readonly SQSRecord[],
  { handle, visibility, delaysSeconds, concurrency, log, remainingMs }: WorkOptions,
): Promise<SQSBatchResponse> {
  const failures = await pMap(
    records,
    async ({ messageId, receiptHandle, body, attributes }) => {
      const receiveCount = Number(attributes.ApproximateReceiveCount);
      try {
        if (remainingMs() < reservedMs) throw new RetryLaterError('no time left in this invocation', 0);
        await handle(body, receiveCount);
        return [];
      } catch (error) {
        const delay = delaysSeconds[Math.min(receiveCount, delaysSeconds.length) - 1] ?? 0;
        const asked = error instanceof RetryLaterError ? error.seconds : 0;
        const seconds = Math.min(Math.max(delay, asked), longestDelaySeconds);
        log('AUTOMATION_FAILED', {
          error: error instanceof Error ? error.name : 'unknown',
          // Only of errors that are ours: others may quote what they were given.
          reason: error instanceof RetryLaterError || error instanceof BusMessageError ? error.message : null,
          receiveCount,
          retryInSeconds: seconds,
        });
        return [{ messageId, change: { receiptHandle, seconds } }];
      }
    },
    { concurrency },
  );
  const failed = failures.flat();
  await visibility.change(
    failed.map(({ change }) => change),
    () => remainingMs() > 2000,
  );
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
}
