import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { allowOnPattern, allowOnTable, explainUnusedGrants } from '../building-blocks/grants.ts';
import type { FunctionContext } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';

export interface HistoryExporterProps extends FunctionContext {
  readonly historyTable: Table;
  readonly bucket: Bucket;
}

const runEvery = Duration.hours(6);

/** The folder of the history table's exports in their bucket. */
export const exportFolder = 'history';

/**
 * Requests an export of each day's changes of the history table from DynamoDB: four times a day it checks which of the last days are missing.
 * The function may request and list exports; DynamoDB writes the files with the function's rights, below one folder.
 */
export class HistoryExporterFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: HistoryExporterProps) {
    const { historyTable, bucket } = props;
    super(scope, id, {
      ...props,
      name: 'exporter',
      description: 'Requests exports of the delivery history to S3 from DynamoDB, day by day.',
      memoryMiB: 256,
      timeoutSeconds: 60,
      every: runEvery,
      environment: {
        HISTORY_TABLE_ARN: historyTable.tableArn,
        EXPORT_BUCKET_NAME: bucket.bucketName,
      },
    });
    this.allowExports(historyTable, bucket);
    this.addExportAlarm();
  }

  private allowExports(historyTable: Table, bucket: Bucket): void {
    allowOnTable(this.function, historyTable, 'DescribeContinuousBackups', 'ExportTableToPointInTime');
    allowOnPattern(this, this.function, {
      actions: ['dynamodb:DescribeExport'],
      resourceArn: `${historyTable.tableArn}/export/*`,
      reason: 'DynamoDB generates the ids of exports: the wildcard stands for those of this table.',
    });
    allowOnPattern(this, this.function, {
      actions: ['dynamodb:ListExports'],
      resourceArn: '*',
      reason: 'The list of exports holds ARNs and states only, and can be allowed for all tables only.',
    });
    // DynamoDB asks for these (developer guide, "Requesting a table export in DynamoDB", S3 permissions).
    const bucketCalls = ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'];
    allowOnPattern(this, this.function, {
      actions: bucketCalls,
      resourceArn: bucket.arnForObjects(`${exportFolder}/*`),
      reason: 'DynamoDB generates the names of the files: the wildcard stands for one folder of this bucket.',
    });
    explainUnusedGrants(
      this.function,
      [
        'dynamodb:DescribeContinuousBackups',
        'dynamodb:ExportTableToPointInTime',
        'dynamodb:DescribeExport',
        'dynamodb:ListExports',
      ],
      'DynamoDB Local has no exports, so local runs leave the stack out; test/unit/functions/history/exporter/table-export-client.io.test.ts has each of these calls.',
    );
    explainUnusedGrants(
      this.function,
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      'Lambda writes the log with them, as for every function; local runs leave the stack out.',
    );
    explainUnusedGrants(
      this.function,
      bucketCalls,
      'DynamoDB itself uses them, with the rights of the function that requested the export; local runs have no exports.',
    );
  }

  private addExportAlarm(): void {
    const metrics = { errors: this.function.metricErrors(), failed: this.metricCounted('ExportFailed') };
    this.alarmWhenRepeated('ExporterErrors', sumOf(metrics, runEvery), {
      runbook: 'Exports to S3 fail',
      cause:
        'More than once in 18 hours an export did not begin or did not succeed (ExportFailed: DynamoDB rejected it, or cannot write to the bucket), or the function "exporter" failed, timed out or could not start (Errors).',
      impact:
        'Days are missing from Athena. A run that succeeds exports the seven days before it; older days have to be exported by hand, before they are 35 days old.',
      firstStep:
        'Read EXPORT-02 or the error in the log group of "exporter", and the failed exports in the DynamoDB console (Exports to S3).',
    });
  }
}
