import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import pMap from 'p-map';

/** When a message that was received and not deleted comes again. */
export interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now on. */
  readonly seconds: number;
}

/** Says when received messages of a queue come again. */
export interface MessageVisibility {
  /**
   * Never throws: a message whose change failed comes again when the queue's own visibility timeout ends.
   *
   * @param hasTime asked before each call; once it says no, the rest is left as it is
   * @returns the names of what failed, each once; none where all were changed
   */
  change(changes: readonly VisibilityChange[], hasTime: () => boolean): Promise<readonly string[]>;
}

/** What one call takes at most. */
const largestBatch = 10;
const concurrentCalls = 10;

export function createMessageVisibility(client: SQSClient, queueUrl: string): MessageVisibility {
  async function changeBatch(changes: readonly VisibilityChange[]): Promise<string[]> {
    const entries = changes.map(({ receiptHandle, seconds }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }));
    try {
      const command = new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries: entries });
      const { Failed = [] } = await client.send(command);
      return Failed.map(({ Code = 'unknown' }) => Code);
    } catch (error) {
      return [error instanceof Error ? error.name : 'unknown'];
    }
  }

  return {
    change: async (changes, hasTime) => {
      const batches = Array.from({ length: Math.ceil(changes.length / largestBatch) }, (_, index) =>
        changes.slice(index * largestBatch, (index + 1) * largestBatch),
      );
      const failures = await pMap(
        batches,
        async (batch) => (hasTime() ? changeBatch(batch) : ['OutOfTime']),
        { concurrency: concurrentCalls },
      );
      return [...new Set(failures.flat())];
    },
  };
}

/** A message taken out of a queue; it comes again unless it is deleted. */
interface DrainedMessage {
  readonly body: string;
  /** What it is deleted by. */
  readonly receiptHandle: string;
}

export interface Drained {
  readonly messages: readonly DrainedMessage[];
  /** Why no more were taken: none was left to be seen, as many as allowed were taken, or no time was left. */
  readonly ended: 'empty' | 'most' | 'time';
  /** Names of errors, each once: where calls failed, what others brought is there all the same. */
  readonly failures: readonly string[];
}

/** Takes out what a queue holds, without a function that is invoked for each batch. */
export interface QueueDrain {
  /**
   * Receives until the queue seems empty, without waiting for more to come. Never throws.
   *
   * @param most messages to take; a call under way may bring up to 40 more
   * @param hasTime asked before each call; once it says no, no more is received
   */
  receive(most: number, hasTime: () => boolean): Promise<Drained>;
  /**
   * Never throws: what was not deleted comes again.
   *
   * @returns the names of what failed, each once; none where all were deleted
   */
  delete(receiptHandles: readonly string[], hasTime: () => boolean): Promise<readonly string[]>;
}
const concurrentReceives = 5;
const concurrentDeletes = 10;

/**
 * Answers without a message, in a row, after which the queue counts as empty: a receive that does not wait asks only some
 * of SQS's servers (SQS Developer Guide, "Short polling").
 */
const emptyAnswers = 10;

export function createQueueDrain(client: SQSClient, queueUrl: string): QueueDrain {
  async function receiveBatch(): Promise<DrainedMessage[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: largestBatch,
        WaitTimeSeconds: 0,
      }),
    );
    return Messages.map(({ Body: body = '', ReceiptHandle: receiptHandle = '' }) => ({
      body,
      receiptHandle,
    }));
  }

  async function deleteBatch(receiptHandles: readonly string[]): Promise<string[]> {
    const Entries = receiptHandles.map((receiptHandle, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
    }));
    try {
      const { Failed = [] } = await client.send(
        new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }),
      );
      return Failed.map(({ Code = 'unknown' }) => Code);
    } catch (error) {
      return [nameOf(error)];
    }
  }

  return {
    receive: async (most, hasTime) => {
      const messages: DrainedMessage[] = [];
      const failures = new Set<string>();
      let emptyInARow = 0;
      let ended: Drained['ended'] | undefined;

      async function lane(): Promise<void> {
        while (ended === undefined) {
          if (messages.length >= most) ended = 'most';
          else if (!hasTime()) ended = 'time';
          else {
            const batch = await receiveBatch();
            messages.push(...batch);
            emptyInARow = batch.length === 0 ? emptyInARow + 1 : 0;
            if (emptyInARow >= emptyAnswers) ended ??= 'empty';
          }
        }
      }
      // A lane that failed is not begun again: the others go on as long as they can.
      const lanes = Array.from({ length: concurrentReceives }, () =>
        lane().catch((error: unknown) => {
          failures.add(nameOf(error));
        }),
      );
      await Promise.all(lanes);
      return { messages, ended: ended ?? 'empty', failures: [...failures] };
    },

    delete: async (receiptHandles, hasTime) => {
      const batches = Array.from({ length: Math.ceil(receiptHandles.length / largestBatch) }, (_, index) =>
        receiptHandles.slice(index * largestBatch, (index + 1) * largestBatch),
      );
      const failures = await pMap(
        batches,
        async (batch) => (hasTime() ? deleteBatch(batch) : ['OutOfTime']),
        { concurrency: concurrentDeletes },
      );
      return [...new Set(failures.flat())];
    },
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}

/** Where messages go that are given up before the queue's last receive. */
export interface DeadLetters {
  /**
   * Resolves once the dead letter queue has confirmed that it keeps the message; throws in every other case. SQS takes it for
   * a new message: a redrive has to name the queue it goes to.
   */
  send(body: string): Promise<void>;
}

export function createDeadLetters(client: SQSClient, queueUrl: string): DeadLetters {
  return {
    send: async (body) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
    },
  };
}
