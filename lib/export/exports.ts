import { Duration, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { bucketRemoval } from '../building-blocks/bucket-removal.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { ExportsOptions, PipelineOptions } from '../options/options.ts';
import { HistoryCatalog } from './history-catalog.ts';
import { HistoryExporterFunction } from './history-exporter.ts';

/** Adds exports of the delivery history to S3, day by day, and a table of them for Athena. Returns their bucket. */
export function addExports(
  scope: Construct,
  options: PipelineOptions,
  { historyTable }: Storage,
  { retention }: ExportsOptions,
): Bucket {
  const bucket = new Bucket(scope, 'Exports', {
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    // A kept version would outlive the deletion of its object.
    versioned: false,
    lifecycleRules: [
      {
        expiration: retention,
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    ...bucketRemoval(options),
  });
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason:
      'Access logs would need a second bucket and are delayed: switch on CloudTrail data events for this bucket to know who read the exports.',
  });
  new HistoryExporterFunction(scope, 'Exporter', { options, historyTable, bucket });
  const catalog = new HistoryCatalog(scope, 'Catalog', { databaseName: options.exportDatabase, bucket });

  addOutput(scope, options, 'ExportBucketName', bucket.bucketName);
  addOutput(scope, options, 'AthenaDatabase', catalog.databaseName);
  addOutput(scope, options, 'AthenaTable', catalog.tableName);
  return bucket;
}
