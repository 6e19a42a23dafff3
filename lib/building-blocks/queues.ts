import { Duration, Names, Validations } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as CdkFunction, EventSourceMappingOptions } from 'aws-cdk-lib/aws-lambda';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueRetentionDays } from '../options/queue-timing.ts';

/** The maximum of SQS; a 256 KiB body in base64 with its headers needs more than the old limit of 256 KiB. */
const maxMessageSizeBytes = 1024 * 1024;

/** Properties of queues that must not lose a message: encrypted, reached by TLS only, with the maximum retention. */
export const durableQueueProps = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(queueRetentionDays),
  maxMessageSizeBytes,
} as const;

/** Receives messages that could not be processed or delivered: of a queue, of a rule's target, or of a stream. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, durableQueueProps);
    const reason = 'This is the dead-letter queue: an alarm watches it, and it needs no further queue.';
    Validations.of(this).acknowledge(
      { id: 'Serverless-SQSRedrivePolicy', reason },
      { id: 'AwsSolutions-SQS3', reason },
    );
  }

  /** The metric of the alarm that goes off at the first dead letter. */
  metricDeadLetters(): Metric {
    return this.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: 'Maximum',
    });
  }
}

/** The calls that Lambda makes for an event source mapping, under the function's role. */
const eventSourceCalls = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Lets a function read a queue. CDK's SqsEventSource would also grant calls that the function does not make. */
export function addQueueSource(
  reader: CdkFunction,
  queue: IQueue,
  options: Omit<EventSourceMappingOptions, 'eventSourceArn'>,
): void {
  queue.grant(reader, ...eventSourceCalls);
  // The id that SqsEventSource gives: another id would replace the mapping, and Lambda refuses a second one for a queue.
  const id = `SqsEventSource:${Names.nodeUniqueId(queue.node)}`;
  reader.addEventSourceMapping(id, { ...options, eventSourceArn: queue.queueArn });
}
