import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { functionContext } from '../building-blocks/lambda-function.ts';
import { HistoryCatalog } from '../export/history-catalog.ts';
import { HistoryExporterFunction } from '../export/history-exporter.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface AnalysisStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** Copies the history out of DynamoDB for analysis: exports to S3, day by day, and a table of them for Athena. */
export class AnalysisStack extends Stack {
  constructor(scope: Construct, id: string, props: AnalysisStackProps) {
    super(scope, id, {
      description: 'SMS pipeline: exports of the delivery history for analysis.',
      ...props,
    });
    const { settings, storage, bundles } = props;
    const bucket = new Bucket(this, 'Exports', {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // A kept version would outlive the deletion of its object.
      versioned: false,
      lifecycleRules: [
        {
          expiration: Duration.days(settings.exportRetentionDays),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would need a second bucket and are delayed: switch on CloudTrail data events for this bucket to know who read the exports.',
    });
    const { historyTable } = storage;
    const context = functionContext(this, settings, bundles);
    new HistoryExporterFunction(this, 'Exporter', { ...context, historyTable, bucket });
    const catalog = new HistoryCatalog(this, 'Catalog', { stackPrefix: settings.stackPrefix, bucket });

    new CfnOutput(this, 'ExportBucketName', { value: bucket.bucketName });
    new CfnOutput(this, 'AthenaDatabase', { value: catalog.databaseName });
    new CfnOutput(this, 'AthenaTable', { value: catalog.tableName });
  }
}
