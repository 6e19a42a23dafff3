import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import { ExportBucket } from '../constructs/export-bucket.ts';
import { HistoryCatalog } from '../constructs/history-catalog.ts';
import { HistoryExporter } from '../constructs/history-exporter.ts';
import { functionDefaults } from '../constructs/lambda-function.ts';
import type { StorageStack } from './storage-stack.ts';

export interface AnalysisStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** The history out of DynamoDB, for analysis: exports to S3, day by day, and a table of them for Athena. */
export class AnalysisStack extends Stack {
  constructor(scope: Construct, id: string, props: AnalysisStackProps) {
    super(scope, id, {
      description: 'SMS pipeline: exports of the delivery history for analysis.',
      ...props,
    });
    const { settings, storage, bundles } = props;
    const { stackPrefix, alarmTopicArn } = settings;
    const bucket = new ExportBucket(this, 'Exports', { retentionDays: settings.exportRetentionDays });
    new HistoryExporter(this, 'Exporter', {
      defaults: functionDefaults(settings, bundles),
      historyTable: storage.historyTable,
      bucket,
      alarmTopic:
        alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn),
    });
    const catalog = new HistoryCatalog(this, 'Catalog', { stackPrefix, bucket });

    new CfnOutput(this, 'ExportBucketName', { value: bucket.bucketName });
    new CfnOutput(this, 'AthenaDatabase', { value: catalog.databaseName });
    new CfnOutput(this, 'AthenaTable', { value: catalog.tableName });
  }
}
