import { GetQueueAttributesCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import {
  createMessageVisibility,
  createQueueDrain,
  createQueueSender,
} from '../../functions/base/sqs-queue.ts';

/** A message of a dead-letter queue that was received and is hidden for a moment. */
export interface DeadLetter {
  readonly messageId: string;
  readonly body: string;
  /** When it was sent to this queue, or to the queue that SQS moved it from; ISO 8601 in UTC. */
  readonly sentAt: string;
  /** How often it was received, including this time. */
  readonly receiveCount: number;
  readonly receiptHandle: string;
}

/** The approximate number of messages in a queue. */
interface QueueCount {
  readonly waiting: number;
  /** Messages that were received and not deleted. They reappear when their visibility timeout ends. */
  readonly inFlight: number;
}

/** The result of moving messages. */
export interface MoveOutcome {
  /** How many the other queue has confirmed. */
  readonly sent: number;
  /** The first error of a message that could not be sent; undefined if all were. */
  readonly failure: unknown;
  /** The distinct error names of deletions that failed: those messages are in both queues. */
  readonly deleteErrors: readonly string[];
}

/** Reads and empties a dead-letter queue. */
export interface DeadLetterQueue {
  count(): Promise<QueueCount>;
  /**
   * Receives messages and hides them for two minutes. Returns fewer than `max` if no more are available or some receives
   * failed. Throws only if all receives failed, because received messages are hidden and must reach the caller.
   */
  receive(max: number): Promise<readonly DeadLetter[]>;
  /** Makes messages visible again. Never throws: where it fails a message reappears after its visibility timeout. */
  release(letters: readonly DeadLetter[]): Promise<void>;
  /**
   * Sends messages to another queue and deletes those that it has confirmed. Never throws: messages that were not sent are
   * released.
   */
  move(letters: readonly DeadLetter[], destinationUrl: string): Promise<MoveOutcome>;
}

/** The timeout exceeds the time that a command needs for the messages of one round. */
const hiddenSeconds = 120;

/** The maximum of one SQS call. */
const largestBatch = 10;
const concurrentCalls = 10;

export function createDeadLetterQueue(client: SQSClient, queueUrl: string): DeadLetterQueue {
  const visibility = createMessageVisibility(client, queueUrl);
  const drain = createQueueDrain(client, queueUrl);

  async function receiveOnce(max: number): Promise<DeadLetter[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(largestBatch, max),
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
        VisibilityTimeout: hiddenSeconds,
        // A receive that waits queries all SQS servers (SQS Developer Guide, "Short and long polling").
        WaitTimeSeconds: 1,
      }),
    );
    return Messages.map(({ MessageId = '', Body = '', ReceiptHandle = '', Attributes = {} }) => ({
      messageId: MessageId,
      body: Body,
      sentAt: new Date(Number(Attributes.SentTimestamp)).toISOString(),
      receiveCount: Number(Attributes.ApproximateReceiveCount),
      receiptHandle: ReceiptHandle,
    }));
  }

  async function release(letters: readonly DeadLetter[]): Promise<void> {
    await visibility.change(letters.map(({ receiptHandle }) => ({ receiptHandle, seconds: 0 })));
  }

  return {
    count: async () => {
      const { Attributes = {} } = await client.send(
        new GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return {
        waiting: Number(Attributes.ApproximateNumberOfMessages),
        inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
      };
    },

    receive: async (max) => {
      const received: DeadLetter[] = [];
      for (;;) {
        const missing = max - received.length;
        const calls = Math.min(concurrentCalls, Math.ceil(missing / largestBatch));
        const results = await Promise.allSettled(
          Array.from({ length: calls }, (_, call) => receiveOnce(missing - call * largestBatch)),
        );
        const batch = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
        const failures = results.filter((result) => result.status === 'rejected');
        received.push(...batch);
        if (received.length === 0 && failures.length === calls) throw failures[0]?.reason;
        if (received.length >= max || batch.length === 0 || failures.length > 0) return received;
      }
    },

    release,

    move: async (letters, destinationUrl) => {
      const destination = createQueueSender(client, destinationUrl);
      const results = await pMap(
        letters,
        (letter) =>
          destination.send(letter.body).then(
            () => ({ letter, isSent: true, error: undefined }),
            (error: unknown) => ({ letter, isSent: false, error }),
          ),
        { concurrency: concurrentCalls },
      );
      const sent = results.filter(({ isSent }) => isSent).map(({ letter }) => letter);
      const unsent = results.filter(({ isSent }) => !isSent);
      await release(unsent.map(({ letter }) => letter));
      const deleteErrors = await drain.delete(sent.map(({ receiptHandle }) => receiptHandle));
      return { sent: sent.length, failure: unsent[0]?.error, deleteErrors };
    },
  };
}

/**
 * Returns the approximate number of requests in a queue: waiting, in flight and delayed. It does not read them, because that
 * would hide them from the worker.
 */
export async function countWaiting(client: SQSClient, queueUrl: string): Promise<number> {
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({
      QueueUrl: queueUrl,
      AttributeNames: [
        'ApproximateNumberOfMessages',
        'ApproximateNumberOfMessagesNotVisible',
        'ApproximateNumberOfMessagesDelayed',
      ],
    }),
  );
  return Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
}
