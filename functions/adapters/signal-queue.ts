import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { encodeSignal, type MismatchSignal } from '../core/webhook/mismatch-signal.ts';

/** Where setup hears of signatures that fit no secret. */
export interface SignalQueue {
  /** Resolves once the queue has confirmed the signal; throws in every other case. */
  send(signal: MismatchSignal): Promise<void>;
}

export function createSignalQueue(client: SQSClient, queueUrl: string): SignalQueue {
  return {
    send: async (signal) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: encodeSignal(signal) }));
    },
  };
}
