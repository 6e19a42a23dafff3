import type { Envelope } from '../core/envelope.ts';

/** One message of the queue, as far as the worker needs it. */
export interface QueueMessage {
  readonly messageId: string;
  /** Names this receipt of it. */
  readonly receiptHandle: string;
  /** How often the queue has given it out, this time included. */
  readonly receiveCount: number;
  readonly body: string;
  /** When the queue received it; milliseconds since the epoch. */
  readonly sentAt: number;
  /** When it was given out for the first time; milliseconds since the epoch. */
  readonly firstReceivedAt: number;
}

/** A queue message, read. */
export interface Received {
  readonly queueMessage: QueueMessage;
  /** Undefined where it is no envelope of ours. */
  readonly envelope: Envelope | undefined;
}
