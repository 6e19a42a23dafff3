import { Duration, Validations } from 'aws-cdk-lib';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { visibilityTimeoutSeconds } from '../queue-timing.ts';
import { addQueueSource } from './queue-source.ts';

export interface MismatchSignalsProps {
  readonly reader: CdkFunction;
  /** The timeout of `reader`. */
  readonly readerTimeoutSeconds: number;
}

/** None: while a secret that was rotated elsewhere is not known, every second costs events. */
const batchWindowSeconds = 0;

/**
 * The queue in which ingest tells setup about signatures that fit no secret. A signal is tried once: a failed one stays
 * hidden for longer than it is kept, because asking the service for it minutes later is what the schedule does anyway.
 */
export class MismatchSignals extends Queue {
  constructor(scope: Construct, id: string, { reader, readerTimeoutSeconds }: MismatchSignalsProps) {
    super(scope, id, {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.minutes(5),
      visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(readerTimeoutSeconds, batchWindowSeconds)),
    });
    addQueueSource(reader, this, {
      batchSize: 10,
      maxBatchingWindow: Duration.seconds(batchWindowSeconds),
      // Lambda's least. Two runs at once do no harm: the rotation protocol is made for it.
      maxConcurrency: 2,
    });
    const reason =
      'A signal is worthless after minutes: reconcile runs on a schedule too and looks at the service itself, whatever became of the signals.';
    Validations.of(this).acknowledge(
      { id: 'AwsSolutions-SQS3', reason },
      { id: 'Serverless-SQSRedrivePolicy', reason },
    );
    Validations.of(reader).acknowledge({ id: 'Serverless-LambdaEventSourceMappingDestination', reason });
  }
}
