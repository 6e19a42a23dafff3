import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { queueRetentionDays } from '../queue-timing.ts';

/** SQS's largest message; a 256 KiB body in base64 with its headers needs more than the old limit of 256 KiB. */
const maxMessageSizeBytes = 1024 * 1024;

/** Properties of queues that must not lose a message: encrypted, reached by TLS only, kept for the longest time. */
export const keptSafe = {
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(queueRetentionDays),
  maxMessageSizeBytes,
} as const;

/** Where messages end that nobody could take: of a queue, of a rule's target, or of a stream. */
export class DeadLetterQueue extends Queue {
  constructor(scope: Construct, id: string) {
    super(scope, id, keptSafe);
    const reason =
      'This is the dead letter queue: an alarm watches it, and it has no further queue to give to.';
    Validations.of(this).acknowledge(
      { id: 'Serverless-SQSRedrivePolicy', reason },
      { id: 'AwsSolutions-SQS3', reason },
    );
  }
}
