import { setTimeout as delay } from 'node:timers/promises';
import {
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { REGION } from '../../../aws-protocol/call.ts';

/** Makes the record that Lambda passes to a function of a received message. */
export function recordOf(message: Message, queueArn: string): SQSRecord {
  const { SenderId, SentTimestamp, ApproximateReceiveCount, ApproximateFirstReceiveTimestamp, ...others } =
    message.Attributes ?? {};
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ...others,
      ApproximateReceiveCount: ApproximateReceiveCount ?? '1',
      SentTimestamp: SentTimestamp ?? '',
      SenderId: SenderId ?? '',
      ApproximateFirstReceiveTimestamp: ApproximateFirstReceiveTimestamp ?? '',
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attributeOf(value)]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: REGION,
  };
}

function attributeOf(value: MessageAttributeValue): SQSMessageAttribute {
  return {
    ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
    ...(value.BinaryValue && { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
    stringListValues: [],
    binaryListValues: [],
    dataType: value.DataType ?? 'String',
  };
}

/** The maximum number of messages of one ReceiveMessage call. */
const RECEIVE_LIMIT = 10;
const LONG_POLL_SECONDS = 20;
/** The pause between receive calls while a window is open. */
const WINDOW_STEP_MS = 100;

/** Lambda's quota for the event of an invocation. */
const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024;
/** The size of a record without its body: ids, attributes, the queue's ARN. */
const RECORD_OVERHEAD_BYTES = 1024;

export interface BatchReaderOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly batchSize: number;
  readonly windowSeconds: number;
}

/**
 * Collects messages into batches as an event source mapping does. A batch is complete when it has the maximum number of messages, when the window
 * since its first message has passed, or when one more message would make the event too large.
 */
export class BatchReader {
  readonly #options: BatchReaderOptions;
  /** The messages that were received but did not fit into the previous batch. */
  #carried: Message[] = [];

  constructor(options: BatchReaderOptions) {
    this.#options = options;
  }

  /**
   * Waits for a batch. Resolves with an empty batch if no message arrives for a while.
   * @throws errors of the SDK; the messages received so far become visible again after their visibility timeout
   */
  async next(signal: AbortSignal): Promise<Message[]> {
    const { batchSize, windowSeconds } = this.#options;
    const batch: Message[] = [];
    let size = 0;
    const take = (messages: Message[]): boolean => {
      for (const [index, message] of messages.entries()) {
        const messageSize = sizeOf(message);
        if (batch.length > 0 && size + messageSize > PAYLOAD_LIMIT_BYTES) {
          this.#carried = messages.slice(index);
          return false;
        }
        batch.push(message);
        size += messageSize;
      }
      return true;
    };
    const carried = this.#carried;
    this.#carried = [];
    if (!take(carried)) return batch;
    if (batch.length === 0 && !take(await this.#receive(LONG_POLL_SECONDS, batchSize, signal))) return batch;
    const windowEnd = Date.now() + windowSeconds * 1000;
    while (batch.length > 0 && batch.length < batchSize) {
      const left = windowEnd - Date.now();
      if (left <= 0) break;
      // A long poll would have to be aborted at the end of the window, and messages that SQS sends to an aborted request remain invisible
      // until their visibility timeout.
      const received = await this.#receive(0, batchSize - batch.length, signal);
      if (!take(received)) break;
      if (received.length === 0) await delay(Math.min(left, WINDOW_STEP_MS), undefined, { signal });
    }
    return batch;
  }

  async #receive(waitSeconds: number, maxMessages: number, abortSignal: AbortSignal): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#options.queueUrl,
      MaxNumberOfMessages: Math.min(maxMessages, RECEIVE_LIMIT),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await this.#options.client.send(command, { abortSignal });
    return Messages;
  }
}

function sizeOf(message: Message): number {
  // JSON escapes quotes and control characters, which makes a body longer.
  return Buffer.byteLength(JSON.stringify(message.Body ?? '')) + RECORD_OVERHEAD_BYTES;
}
