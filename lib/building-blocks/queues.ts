import { Duration, Names, Validations } from 'aws-cdk-lib';
import type { Function as CdkFunction, EventSourceMappingOptions } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueRetentionDays } from '../settings/queue-timing.ts';

/** SQS's largest message; a 256 KiB body in base64 with its headers needs more than the old limit of 256 KiB. */
const maxMessageSizeBytes = 1024 * 1024;

/** Properties of queues that must not lose a message: encrypted, reached by TLS only, kept for the longest time. */
export const durableQueueProps = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(queueRetentionDays),
  maxMessageSizeBytes,
} as const;

/** Where messages end that nobody could take: of a queue, of a rule's target, or of a stream. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, durableQueueProps);
    const reason =
      'This is the dead letter queue: an alarm watches it, and it has no further queue to give to.';
    Validations.of(this).acknowledge(
      { id: 'Serverless-SQSRedrivePolicy', reason },
      { id: 'AwsSolutions-SQS3', reason },
    );
  }
}

/** What Lambda calls for an event source mapping, under the function's role. */
const eventSourceCalls = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Lets a function read a queue. Not through SqsEventSource: its grants add calls that not every function makes, or nobody. */
export function addQueueSource(
  reader: CdkFunction,
  queue: IQueue,
  options: Omit<EventSourceMappingOptions, 'eventSourceArn'>,
): void {
  queue.grant(reader, ...eventSourceCalls);
  // The id SqsEventSource gives: under another the mapping would be replaced, and Lambda refuses a second one for a queue.
  const id = `SqsEventSource:${Names.nodeUniqueId(queue.node)}`;
  reader.addEventSourceMapping(id, { ...options, eventSourceArn: queue.queueArn });
}
