import {
  CancelMessageMoveTaskCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

/** A move that SQS performs by itself. Its counts are approximate. */
export interface MoveTask {
  readonly state: 'running' | 'cancelling' | 'completed' | 'cancelled' | 'failed';
  readonly moved: number;
  /** How many messages it found at its start. */
  readonly total: number | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly failure: string | undefined;
}

/** Moves the messages of a dead-letter queue to its source within SQS, which allows one move of a queue at a time. */
export interface MoveTasks {
  start(): Promise<void>;
  /** Returns the move that was started last; undefined without one in the last days. */
  latest(): Promise<MoveTask | undefined>;
  /** Cancels the move that is running. SQS moves some more messages before it ends. Returns whether one was running. */
  cancel(): Promise<boolean>;
}

const states: Readonly<Record<string, MoveTask['state']>> = {
  RUNNING: 'running',
  CANCELLING: 'cancelling',
  COMPLETED: 'completed',
  CANCELLED: 'cancelled',
};

export function createMoveTasks(client: SQSClient, queueUrl: string, destinationUrl: string): MoveTasks {
  async function arnOf(url: string): Promise<string | undefined> {
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
    );
    return Attributes?.QueueArn;
  }

  async function results() {
    const { Results = [] } = await client.send(
      new ListMessageMoveTasksCommand({ SourceArn: await arnOf(queueUrl), MaxResults: 1 }),
    );
    return Results[0];
  }

  return {
    async start() {
      const [SourceArn, DestinationArn] = await Promise.all([arnOf(queueUrl), arnOf(destinationUrl)]);
      // SQS knows no source of messages that a function sent to the queue itself.
      await client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    },

    async latest() {
      const found = await results();
      if (found === undefined) return undefined;
      return {
        state: states[found.Status ?? ''] ?? 'failed',
        moved: found.ApproximateNumberOfMessagesMoved ?? 0,
        total: found.ApproximateNumberOfMessagesToMove,
        startedAt: found.StartedTimestamp ?? 0,
        failure: found.FailureReason,
      };
    },

    async cancel() {
      const { TaskHandle } = (await results()) ?? {};
      // SQS gives the handle of a running move only.
      if (TaskHandle === undefined) return false;
      await client.send(new CancelMessageMoveTaskCommand({ TaskHandle }));
      return true;
    },
  };
}
