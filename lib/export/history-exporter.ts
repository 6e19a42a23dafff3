import { Duration, Stack } from 'aws-cdk-lib';
import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowOnPattern, explainUnusedGrants } from '../building-blocks/grants.ts';
import type { FunctionDefaults } from '../building-blocks/lambda-function.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';

export interface HistoryExporterProps {
  readonly defaults: FunctionDefaults;
  readonly historyTable: Table;
  readonly bucket: Bucket;
  readonly alarmTopic: ITopic | undefined;
}

/** Where the exports of the history table lie in their bucket. */
export const exportFolder = 'history';

/**
 * Has DynamoDB export each day's changes of the history table: looks four times a day which of the last days are missing.
 * The function may ask for exports and about them; DynamoDB writes the files with its rights, below one folder.
 */
export class HistoryExporter extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: HistoryExporterProps) {
    const { historyTable, bucket } = props;
    super(scope, id, {
      ...props.defaults,
      name: 'exporter',
      description: 'Has DynamoDB export the delivery history to S3, day by day.',
      memoryMiB: 256,
      timeoutSeconds: 60,
      every: Duration.hours(6),
      environment: {
        HISTORY_TABLE_ARN: historyTable.tableArn,
        EXPORT_BUCKET_NAME: bucket.bucketName,
      },
    });
    const tableCalls = ['dynamodb:DescribeContinuousBackups', 'dynamodb:ExportTableToPointInTime'];
    new TableGrants({ table: historyTable, hasIndex: false }).actions(this.function, ...tableCalls);
    explainUnusedGrants(
      this.function,
      [...tableCalls, 'dynamodb:DescribeExport', 'dynamodb:ListExports'],
      'DynamoDB Local has no exports, so the stack is left out; test/unit/functions/exporter/table-export-client.test.ts has each of these calls.',
    );
    explainUnusedGrants(
      this.function,
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      'Lambda writes the log with them, here as of every function; the stack is left out on one machine.',
    );
    // The other stack's export by its name, as it will be in the template: the acknowledgement says it.
    const tableArn = Stack.of(historyTable).exportValue(historyTable.tableArn);
    allowOnPattern(this, this.function, {
      actions: ['dynamodb:DescribeExport'],
      resourceArn: `${tableArn}/export/*`,
      reason: 'DynamoDB makes up the ids of exports: the wildcard stands for those of this table.',
    });
    allowOnPattern(this, this.function, {
      actions: ['dynamodb:ListExports'],
      resourceArn: '*',
      reason: 'The list of exports tells ARNs and states only, and can be allowed for all tables alone.',
    });
    // As DynamoDB asks for (developer guide, "Requesting a table export in DynamoDB", S3 permissions).
    allowOnPattern(this, this.function, {
      actions: ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      resourceArn: bucket.arnForObjects(`${exportFolder}/*`),
      reason: 'DynamoDB makes up the names of the files: the wildcard stands for one folder of this bucket.',
    });
    explainUnusedGrants(
      this.function,
      ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      'DynamoDB itself uses them, with the rights of who asked for the export; on one machine there are no exports.',
    );
    this.addAlarms(props.alarmTopic);
  }

  private addAlarms(topic: ITopic | undefined): void {
    const impact =
      'Days are missing from Athena. A run that succeeds makes up for the seven days before it; what is older has to be exported by hand, before it is 35 days old.';
    this.alarmWhenRepeated('ExportFailed', this.metricCounted('ExportFailed'), {
      runbook: 'Exports to S3 fail',
      cause:
        'More than once in 18 hours an export was not begun or did not succeed: DynamoDB refused it, or cannot write to the bucket.',
      impact,
      firstStep:
        'Read EXPORT-02 in the log group of "exporter", and the failed exports in the DynamoDB console (Exports to S3).',
      topic,
    });
    this.alarmWhenRepeated('ExporterErrors', this.function.metricErrors(), {
      runbook: 'Exports to S3 fail',
      cause: 'More than once in 18 hours the function "exporter" failed, timed out or could not start.',
      impact,
      firstStep: 'Read the error in the log group of "exporter", mend it and deploy.',
      topic,
    });
  }
}
