import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import { type Deadline, errorName } from './basics.ts';

/** Sends messages to one queue. */
export interface QueueSender {
  /** Resolves once SQS has confirmed that it keeps the message; throws in every other case. */
  send(body: string): Promise<void>;
}

export function createQueueSender(client: SQSClient, queueUrl: string): QueueSender {
  return {
    send: async (body) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
    },
  };
}

/** Makes the function that reads how many messages a queue holds, approximately. @param name of the queue in the answer */
export function createQueueCount(client: SQSClient, name: string, queueUrl: string) {
  return async () => {
    const { Attributes = {} } = await client.send(
      new GetQueueAttributesCommand({
        QueueUrl: queueUrl,
        AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
      }),
    );
    return {
      name,
      waiting: Number(Attributes.ApproximateNumberOfMessages),
      inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    };
  };
}

/** The limit of SQS for one batch call, in messages. */
const maxBatchSize = 10;
const concurrentBatches = 10;

/**
 * Makes a batch call for every ten items. Never throws.
 *
 * @param deadline checked before each call; undefined if the time is not limited
 * @returns the names of the failures, each once; none if the calls succeeded for all items
 */
async function inBatches<T>(
  items: readonly T[],
  call: (
    batch: readonly T[],
  ) => Promise<{ readonly Failed?: readonly { readonly Code?: string | undefined }[] | undefined }>,
  deadline: Deadline | undefined,
): Promise<readonly string[]> {
  const batches = Array.from({ length: Math.ceil(items.length / maxBatchSize) }, (_, index) =>
    items.slice(index * maxBatchSize, (index + 1) * maxBatchSize),
  );
  const failures = await pMap(
    batches,
    async (batch) => {
      if (deadline?.isOver()) return ['OutOfTime'];
      try {
        const { Failed = [] } = await call(batch);
        return Failed.map(({ Code = 'unknown' }) => Code);
      } catch (error) {
        return [errorName(error)];
      }
    },
    { concurrency: concurrentBatches },
  );
  return [...new Set(failures.flat())];
}

/** The time at which a message that was received and not deleted is redelivered. */
export interface VisibilityChange {
  readonly receiptHandle: string;
  /** Counted from now on. */
  readonly seconds: number;
}

/** Decides when received messages of a queue are redelivered. */
export interface MessageVisibility {
  /**
   * Never throws: a message whose change failed is redelivered when the queue's own visibility timeout ends.
   *
   * @param deadline checked before each call; undefined if the time is not limited
   * @returns the names of the failures, each once; none if all were changed
   */
  change(changes: readonly VisibilityChange[], deadline?: Deadline): Promise<readonly string[]>;
}

export function createMessageVisibility(client: SQSClient, queueUrl: string): MessageVisibility {
  return {
    change: (changes, deadline) =>
      inBatches(
        changes,
        (batch) => {
          const Entries = batch.map(({ receiptHandle, seconds }, index) => ({
            Id: String(index),
            ReceiptHandle: receiptHandle,
            VisibilityTimeout: seconds,
          }));
          return client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
        },
        deadline,
      ),
  };
}

/** A message taken out of a queue; SQS redelivers it unless it is deleted. */
interface DrainedMessage {
  readonly body: string;
  readonly receiptHandle: string;
}

export interface Drained {
  readonly messages: readonly DrainedMessage[];
  /** Why the drain ended: the queue seemed empty, the limit of messages was reached, or the deadline passed. */
  readonly ended: 'empty' | 'limit' | 'time';
  /** Names of errors, each once. The messages of the calls that succeeded are there all the same. */
  readonly failures: readonly string[];
}

/** Takes messages out of a queue, without a function that is invoked for each batch. */
export interface QueueDrain {
  /**
   * Receives until the queue seems empty, without waiting for more messages to arrive. Never throws.
   *
   * @param maxMessages a call under way may bring up to 40 more
   * @param deadline checked before each call
   */
  receive(maxMessages: number, deadline: Deadline): Promise<Drained>;
  /**
   * Never throws: a message that was not deleted is redelivered.
   *
   * @param deadline checked before each call; undefined if the time is not limited
   * @returns the names of the failures, each once; none if all were deleted
   */
  delete(receiptHandles: readonly string[], deadline?: Deadline): Promise<readonly string[]>;
}

const concurrentReceives = 5;

/**
 * How many answers in a row without a message make the queue count as empty: a receive that does not wait asks only some
 * of SQS's servers (SQS Developer Guide, "Short polling").
 */
const maxEmptyAnswers = 10;

export function createQueueDrain(client: SQSClient, queueUrl: string): QueueDrain {
  async function receiveBatch(): Promise<DrainedMessage[]> {
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: maxBatchSize,
        WaitTimeSeconds: 0,
      }),
    );
    return Messages.map(({ Body: body = '', ReceiptHandle: receiptHandle = '' }) => ({
      body,
      receiptHandle,
    }));
  }

  return {
    receive: async (maxMessages, deadline) => {
      const messages: DrainedMessage[] = [];
      const failures = new Set<string>();
      let emptyInARow = 0;
      let ended: Drained['ended'] | undefined;

      async function lane(): Promise<void> {
        while (ended === undefined) {
          if (messages.length >= maxMessages) ended = 'limit';
          else if (deadline.isOver()) ended = 'time';
          else {
            const batch = await receiveBatch();
            messages.push(...batch);
            emptyInARow = batch.length === 0 ? emptyInARow + 1 : 0;
            if (emptyInARow >= maxEmptyAnswers) ended ??= 'empty';
          }
        }
      }
      // A lane that failed is not started again: the others go on as long as they can.
      const lanes = Array.from({ length: concurrentReceives }, () =>
        lane().catch((error: unknown) => {
          failures.add(errorName(error));
        }),
      );
      await Promise.all(lanes);
      return { messages, ended: ended ?? 'empty', failures: [...failures] };
    },

    delete: (receiptHandles, deadline) =>
      inBatches(
        receiptHandles,
        (batch) => {
          const Entries = batch.map((receiptHandle, index) => ({
            Id: String(index),
            ReceiptHandle: receiptHandle,
          }));
          return client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
        },
        deadline,
      ),
  };
}
