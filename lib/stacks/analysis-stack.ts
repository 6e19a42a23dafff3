import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { functionDefaults } from '../building-blocks/lambda-function.ts';
import { HistoryCatalog } from '../export/history-catalog.ts';
import { HistoryExporter } from '../export/history-exporter.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

/** Holds the exports of the history table until they are old; it stays when its stack goes. */
class ExportBucket extends Bucket {
  constructor(scope: Construct, id: string, { retentionDays }: { readonly retentionDays: number }) {
    super(scope, id, {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // A version that is kept would outlive what was to be deleted.
      versioned: false,
      lifecycleRules: [
        {
          expiration: Duration.days(retentionDays),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
      ],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would need a second bucket and come with delay: who has to know who read the exports switches on CloudTrail data events for this bucket.',
    });
  }
}

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
