import { RemovalPolicy } from 'aws-cdk-lib';
import type { BucketProps } from 'aws-cdk-lib/aws-s3';
import type { PipelineOptions } from '../options/options.ts';

/** Returns what happens to a bucket with its stack. CloudFormation deletes no bucket with objects, so the CDK's own function empties it. */
export function bucketRemoval({
  removalPolicy,
}: Pick<PipelineOptions, 'removalPolicy'>): Pick<BucketProps, 'removalPolicy' | 'autoDeleteObjects'> {
  return removalPolicy === RemovalPolicy.DESTROY
    ? { removalPolicy, autoDeleteObjects: true }
    : { removalPolicy };
}
