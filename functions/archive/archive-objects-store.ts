import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { ArchiveObjects } from './archive.ts';
import type { ObjectKind } from './archive-lines.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Thrown where other writers keep changing the same object; the caller retries later. */
class ObjectContentionError extends Error {
  override readonly name = 'ObjectContentionError';
}

const maxAttempts = 8;

/** The errors of a conditional write that another writer preceded (Amazon S3 User Guide, "Conditional writes"). */
const lost: ReadonlySet<string> = new Set(['PreconditionFailed', 'ConditionalRequestConflict', 'NoSuchKey']);

const kinds: readonly ObjectKind[] = ['items', 'ids'];

/** Keeps the archive in a bucket. Functions import this file as `#archive`, which is empty where the archive is off. */
export function createArchiveObjects(client: S3Client, Bucket: string): ArchiveObjects {
  async function get(Key: string): Promise<{ readonly lines: readonly string[]; readonly tag?: string }> {
    try {
      const { Body, ETag } = await client.send(new GetObjectCommand({ Bucket, Key }));
      const bytes = await Body?.transformToByteArray();
      const text = bytes === undefined ? '' : (await unpack(bytes)).toString();
      const lines = text.split('\n').filter((line) => line !== '');
      return ETag === undefined ? { lines } : { lines, tag: ETag };
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchKey') return { lines: [] };
      throw error;
    }
  }

  async function* list(Prefix: string, Delimiter?: string) {
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix, Delimiter, ContinuationToken: token }),
      );
      yield page;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  return {
    async months(kind) {
      const months: string[] = [];
      for await (const { CommonPrefixes = [] } of list(`${kind}/`, '/'))
        months.push(...CommonPrefixes.map(({ Prefix = '' }) => Prefix.slice(kind.length + 1, -1)));
      return months.sort();
    },

    async read(name) {
      return (await get(name)).lines;
    },

    async rewrite(name, change) {
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const { lines, tag } = await get(name);
        const changed = change(lines);
        if (changed.length === lines.length && changed.every((line, index) => line === lines[index])) return;
        try {
          await client.send(
            new PutObjectCommand({
              Bucket,
              Key: name,
              Body: await pack(changed.map((line) => `${line}\n`).join('')),
              ...(tag === undefined ? { IfNoneMatch: '*' } : { IfMatch: tag }),
            }),
          );
          return;
        } catch (error) {
          if (!(error instanceof Error && lost.has(error.name))) throw error;
        }
      }
      throw new ObjectContentionError(`an object changed ${maxAttempts} times while it was being written`);
    },

    async removeMonth(month) {
      for (const kind of kinds)
        for await (const { Contents = [] } of list(`${kind}/${month}/`)) {
          const Objects = Contents.map(({ Key }) => ({ Key: Key ?? '' }));
          if (Objects.length === 0) continue;
          const { Errors = [] } = await client.send(
            new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
          );
          if (Errors.length > 0) throw new Error(`${Errors.length} objects could not be deleted`);
        }
    },
  };
}

/** The settings of clients of the bucket: an object may have several megabytes. Checksums other than the TLS connection's are left out. */
const clientSettings = {
  maxAttempts: 3,
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
} as const satisfies S3ClientConfig;

/**
 * Opens the archive.
 *
 * @param bucketName empty where the archive is off
 */
export function openArchiveObjects(
  bucketName: string,
  settings: S3ClientConfig = {},
): ArchiveObjects | undefined {
  if (bucketName === '') return undefined;
  return createArchiveObjects(new S3Client({ ...clientSettings, ...settings }), bucketName);
}
