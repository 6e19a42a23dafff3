import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type Envelope, encodeEnvelope } from '../core/envelope.ts';

/** Where requests wait for the worker. */
export interface EventQueue {
  /** Resolves once the queue has confirmed that it keeps the request; throws in every other case. */
  send(envelope: Envelope): Promise<void>;
}

export function createEventQueue(client: SQSClient, queueUrl: string): EventQueue {
  return {
    send: async (envelope) => {
      await client.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: encodeEnvelope(envelope) }),
      );
    },
  };
}
