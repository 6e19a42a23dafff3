import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DetailType } from '../core/bus/detail-types.ts';

/** What the publisher gave up: ids only, from which the history tells the rest. */
export type PublishFailure =
  | {
      readonly kind: 'event-refused';
      readonly detailType: DetailType;
      readonly eventId: string;
      /** Key of the item it is about; absent where that holds a number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    }
  | {
      readonly kind: 'record-unreadable';
      /** The stream's id of the record. */
      readonly recordId: string | undefined;
      /** Key of the item it is about; absent where that holds a number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    };

/** Where the ids of what cannot be published wait for a person. */
export interface PublishFailures {
  /** Resolves once the queue has confirmed that it keeps them; throws in every other case. */
  keep(failure: PublishFailure): Promise<void>;
}

export function createPublishFailures(client: SQSClient, queueUrl: string): PublishFailures {
  return {
    keep: async (failure) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(failure) }));
    },
  };
}
