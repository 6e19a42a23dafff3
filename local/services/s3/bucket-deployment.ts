import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError } from '../../cloudformation/template.ts';

const schema = z.strictObject({
  ServiceToken: inert,
  SourceBucketNames: inert,
  SourceObjectKeys: z.array(z.string()),
  /** The values of texts that are known at deployment only, for each source. */
  SourceMarkers: z.array(z.record(z.string(), z.coerce.string())).default([]),
  SourceMarkersConfig: inert,
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: z.string().default(''),
  SystemMetadata: z.strictObject({ 'cache-control': z.string() }).optional(),
  WaitForDistributionInvalidation: inert,
  RetainOnDelete: inert,
  Prune: inert,
  OutputObjectKeys: inert,
});

/** Copies the files of a BucketDeployment of the CDK into a bucket, in place of its function, which needs Python. */
export function uploadCreator(s3: S3Client): CreateResource {
  return async (request) => {
    const { SourceObjectKeys, SourceMarkers, DestinationBucketName, ...properties } = readProperties(
      schema,
      request,
    );
    const { DestinationBucketKeyPrefix, SystemMetadata } = properties;
    for (const [index, key] of SourceObjectKeys.entries()) {
      const folder = request.stack.assets.get(key);
      if (folder === undefined) throw new TemplateError(`no asset for the source ${key}`);
      for (const file of filesIn(folder))
        await s3.send(
          new PutObjectCommand({
            Bucket: DestinationBucketName,
            Key: posix.join(DestinationBucketKeyPrefix, file),
            CacheControl: SystemMetadata?.['cache-control'],
            Body: filled(readFileSync(join(folder, file)), SourceMarkers[index] ?? {}),
          }),
        );
    }
    return { ref: request.logicalId };
  };
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}

function filled(content: Buffer, markers: Readonly<Record<string, string>>): Buffer {
  const found = Object.entries(markers);
  if (found.length === 0) return content;
  return Buffer.from(
    found.reduce((text, [marker, value]) => text.replaceAll(marker, value), content.toString()),
  );
}
