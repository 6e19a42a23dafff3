import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Holds the exports of the history table until they are old; it stays when its stack goes. */
export class ExportBucket extends Bucket {
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
