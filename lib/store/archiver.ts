import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { allowOnArchive, allowOnTable } from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';

export interface ArchiverProps extends FunctionContext {
  readonly historyTable: Table;
  readonly openBatchesTable: Table;
  readonly archiveBucket: Bucket;
}

const runEvery = Duration.hours(6);

/**
 * Copies messages and replies to S3 some weeks before the history table deletes them. Each run archives the days that are old enough: the first
 * of a day usually one, the others none. The function may read the tables by key, and write objects of one bucket.
 */
export class ArchiverFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: ArchiverProps) {
    const { options, historyTable, openBatchesTable, archiveBucket } = props;
    super(scope, id, {
      ...props,
      name: 'archiver',
      description: 'Copies messages and replies to the archive in S3, day by day.',
      memoryMiB: 1024,
      timeoutSeconds: 900,
      every: runEvery,
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        OPEN_BATCHES_TABLE_NAME: openBatchesTable.tableName,
        ARCHIVE_BUCKET_NAME: archiveBucket.bucketName,
        ARCHIVE_AFTER_DAYS: envNumber(options.archiveAfterDays),
        RETENTION_DAYS: envNumber(options.retentionDays),
      },
    });
    allowOnTable(this.function, historyTable, 'BatchGetItem');
    allowOnTable(this.function, openBatchesTable, 'Query', 'GetItem', 'PutItem');
    allowOnArchive(this, this.function, archiveBucket, 'DeleteObject', 'GetObject', 'PutObject');
    const metrics = {
      errors: this.function.metricErrors(),
      unfinished: this.metricCounted('ArchiveUnfinished'),
    };
    this.alarmWhenRepeated('ArchiverErrors', sumOf(metrics, runEvery), {
      runbook: 'The archive is behind',
      cause:
        'More than once in 18 hours the function "archiver" failed (Errors: S3 or DynamoDB failed or rejected a call, or it crashed, timed out or could not start), or ended before it had archived all days (ArchiveUnfinished).',
      impact:
        'Nothing is lost for now: the history table keeps each message for 30 days longer than it should need to. What is not archived by then expires.',
      firstStep:
        'Read ARCHIVE-02 or the error in the log group of "archiver"; the next run continues where the last one ended.',
    });
  }
}

/** S3 deletes what the archiver should have deleted so many days before: it deletes whole months. */
const leewayDays = 62;

/** Adds the bucket of the archive. It outlives its stack. */
export function addArchiveBucket(scope: Construct, retentionDays: number): Bucket {
  const bucket = new Bucket(scope, 'MessageArchive', {
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    // A kept version would outlive an erasure.
    versioned: false,
    lifecycleRules: [{ expiration: Duration.days(retentionDays + leewayDays) }],
    removalPolicy: RemovalPolicy.RETAIN,
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Access logs would need a second bucket and are delayed: switch on CloudTrail data events for this bucket to know who read the archive.',
  });
  return bucket;
}
