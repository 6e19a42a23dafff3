import { setTimeout as delay } from 'node:timers/promises';
import {
  type Message,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSMessageAttribute, SQSRecord } from 'aws-lambda';
import { REGION } from '../../../aws-protocol/call.ts';

/** A received message as Lambda hands it to a function. */
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

/** What one ReceiveMessage takes at most. */
const RECEIVE_LIMIT = 10;
const LONG_POLL_SECONDS = 20;
/** How often a window that is open is looked into. */
const WINDOW_STEP_MS = 100;

/** Lambda's quota for the event of an invocation. */
const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024;
/** What a record has beside its body: ids, attributes, the queue's ARN. */
const RECORD_OVERHEAD_BYTES = 1024;

export interface BatchReaderOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly batchSize: number;
  readonly windowSeconds: number;
}

/**
 * Gathers messages into batches as an event source mapping does: a batch is complete when it has as many
 * messages as it may, when the window that its first message opened has passed, or when one more message
 * would make the event too large.
 */
export class BatchReader {
  readonly #options: BatchReaderOptions;
  /** Received, but too large for the batch that was complete. */
  #carried: Message[] = [];

  constructor(options: BatchReaderOptions) {
    this.#options = options;
  }

  /**
   * Waits for a batch; an empty one when no message came for a while.
   * @throws what the SDK throws; messages gathered so far become visible again by themselves
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
      // No long poll here: it would have to be aborted at the window's end, and what SQS hands to an aborted
      // request is out of sight until its visibility timeout.
      const received = await this.#receive(0, batchSize - batch.length, signal);
      if (!take(received)) break;
      if (received.length === 0) await delay(Math.min(left, WINDOW_STEP_MS), undefined, { signal });
    }
    return batch;
  }

  async #receive(waitSeconds: number, wanted: number, abortSignal: AbortSignal): Promise<Message[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: this.#options.queueUrl,
      MaxNumberOfMessages: Math.min(wanted, RECEIVE_LIMIT),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const { Messages = [] } = await this.#options.client.send(command, { abortSignal });
    return Messages;
  }
}

function sizeOf(message: Message): number {
  // JSON escapes quotes and control characters, which can make a body longer than it is.
  return Buffer.byteLength(JSON.stringify(message.Body ?? '')) + RECORD_OVERHEAD_BYTES;
}
