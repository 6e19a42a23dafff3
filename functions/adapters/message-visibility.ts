import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
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
