import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

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
