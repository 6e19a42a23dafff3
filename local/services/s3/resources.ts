import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { localClient, REGION } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { uploadCreator } from './bucket-deployment.ts';

export function startS3(run: ServiceRun) {
  const client = s3Client(loopbackUrl(run.servicePorts.sqs));
  return {
    client,
    resources: {
      'AWS::S3::Bucket': bucketCreator(client),
      'Custom::CDKBucketDeployment': uploadCreator(client),
    },
    inertTypes: ['AWS::S3::BucketPolicy'],
  } satisfies RunningService & { client: S3Client };
}

/** What follows a bucket's name in the address of its objects. */
export const bucketHost = `.s3.${REGION}.amazonaws.com`;

/** A client for the local S3. The process of SQS serves it: see sqs-server.ts. */
function s3Client(endpoint: string): S3Client {
  return new S3Client({ ...localClient(endpoint), forcePathStyle: true });
}

const schema = z.strictObject({
  BucketName: z.string().optional(),
  BucketEncryption: inert,
  PublicAccessBlockConfiguration: inert,
  OwnershipControls: inert,
  // Nothing here lives for as long as a lifecycle rule.
  LifecycleConfiguration: inert,
  Tags: inert,
});

/** A bucket in memory. */
function bucketCreator(s3: S3Client): CreateResource {
  return async (request) => {
    const { BucketName } = readProperties(schema, request);
    const Bucket = (BucketName ?? physicalName(request, 63)).toLowerCase();
    await s3.send(new CreateBucketCommand({ Bucket }));
    return {
      ref: Bucket,
      attributes: { Arn: `arn:aws:s3:::${Bucket}`, RegionalDomainName: `${Bucket}${bucketHost}` },
    };
  };
}
