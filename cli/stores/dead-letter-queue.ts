import { GetQueueAttributesCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import {
  createMessageVisibility,
  createQueueDrain,
  createQueueSender,
} from '../../functions/aws/sqs-queue.ts';

/** A message that was given up on, taken out for a moment. */
export interface DeadLetter {
  /** The id SQS gave it. */
  readonly messageId: string;
  readonly body: string;
  /** When it was sent to this queue, or to the one SQS moved it from; ISO 8601 in UTC. */
  readonly sentAt: string;
  /** How often it was received, this time included. */
  readonly receiveCount: number;
  /** Names this receipt of it. */
  readonly receiptHandle: string;
}

/** About how many messages a queue holds. */
export interface QueueCount {
  readonly waiting: number;
  /** Received by somebody and not deleted yet: they come again when their time is up. */
  readonly inFlight: number;
}

/** What became of messages that were to be moved. */
export interface MoveOutcome {
  /** How many the other queue has confirmed. */
  readonly sent: number;
  /** The first error of a message that could not be sent; undefined where all were. */
  readonly failure: unknown;
  /** Names of what failed when those that were sent were deleted, each once: they are in both queues. */
  readonly deleteErrors: readonly string[];
}

/** Reads and empties a queue of what was given up on. */
export interface DeadLetterQueue {
  count(): Promise<QueueCount>;
  /**
   * Receives messages and hides them from others for two minutes; fewer than `most` where no more are there, or where some
   * receives failed. Throws only where all did and nothing came: what was received is hidden, and must not be lost sight of.
   */
  receive(most: number): Promise<readonly DeadLetter[]>;
  /** Never throws: a message it fails for is seen again when its time is up. */
  release(letters: readonly DeadLetter[]): Promise<void>;
  /**
   * Sends messages to another queue and deletes here what that one has confirmed. Never throws: what was not sent is given
   * back.
   */
  move(letters: readonly DeadLetter[], destinationUrl: string): Promise<MoveOutcome>;
}

/** Longer than what is done with the messages of one round takes. */
const hiddenSeconds = 120;

/** What one call takes at most. */
const largestBatch = 10;
const concurrentCalls = 10;

export function createDeadLetterQueue(client: SQSClient, queueUrl: string): DeadLetterQueue {
  const visibility = createMessageVisibility(client, queueUrl);
  const drain = createQueueDrain(client, queueUrl);

  async function receive(most: number): Promise<DeadLetter[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(largestBatch, most),
        MessageSystemAttributeNames: ['SentTimestamp', 'ApproximateReceiveCount'],
        VisibilityTimeout: hiddenSeconds,
        // A receive that waits asks all of SQS's servers (SQS Developer Guide, "Short and long polling").
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

  async function giveBack(letters: readonly DeadLetter[]): Promise<void> {
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

    receive: async (most) => {
      const taken: DeadLetter[] = [];
      for (;;) {
        const missing = most - taken.length;
        const calls = Math.min(concurrentCalls, Math.ceil(missing / largestBatch));
        const results = await Promise.allSettled(
          Array.from({ length: calls }, (_, call) => receive(missing - call * largestBatch)),
        );
        const came = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
        const failures = results.filter((result) => result.status === 'rejected');
        taken.push(...came);
        if (taken.length === 0 && failures.length === calls) throw failures[0]?.reason;
        if (taken.length >= most || came.length === 0 || failures.length > 0) return taken;
      }
    },

    release: giveBack,

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
      await giveBack(unsent.map(({ letter }) => letter));
      const deleteErrors = await drain.delete(sent.map(({ receiptHandle }) => receiptHandle));
      return { sent: sent.length, failure: unsent[0]?.error, deleteErrors };
    },
  };
}

/**
 * How many requests lie in a queue, about: those that wait, those that are being worked on, those that are delayed. They are
 * not read, since reading would take them away from the worker; any may be about anybody.
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
