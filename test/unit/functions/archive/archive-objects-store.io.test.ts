import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createArchiveObjects,
  openArchiveObjects,
} from '../../../../functions/archive/archive-objects-store.ts';
import { freePorts } from '../../../../local/run/ports.ts';
import { s3Client } from '../../../../local/services/s3/resources.ts';
import { type SqsServer, startSqsServer } from '../../../../local/services/sqs/sqs-server.ts';
import { archiveObjectsSuite } from '../../../support/suites/archive-objects.ts';

let server: SqsServer;
let client: ReturnType<typeof s3Client>;
beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  server = await startSqsServer(port);
  client = s3Client(`http://127.0.0.1:${port}`);
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

async function newBucket(): Promise<string> {
  const Bucket = `archive-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

archiveObjectsSuite(async () => createArchiveObjects(client, await newBucket()));

it('the archive is off without a bucket', () => {
  expect(openArchiveObjects('')).toBeUndefined();
});

it('an error of S3 that is no missing object reaches the caller', async () => {
  const objects = createArchiveObjects(client, 'no-such-bucket');
  await expect(objects.read('items/2026-01/00')).rejects.toThrow(/bucket/);
});
