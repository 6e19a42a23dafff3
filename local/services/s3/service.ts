import { type Permission, UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService } from '../definition/define-service.ts';

export const s3 = defineService({
  name: 's3',
  // The process that serves SQS serves S3 too.
  endpoint: { variable: 'S3', port: 'sqs' },
  /** The AWS SDK names the operations on objects in the query; those on the bucket have a parameter of their own. */
  operationOf({ method, url }) {
    const { searchParams } = new URL(url, 'http://localhost');
    const operation = searchParams.get('x-id');
    if (operation !== null) return operation;
    if (method === 'GET' && searchParams.get('list-type') === '2') return 'ListObjectsV2';
    if (method === 'POST' && searchParams.has('delete')) return 'DeleteObjects';
    return undefined;
  },
  permissions({ operation, request }): readonly Permission[] {
    const { pathname } = new URL(request.url, 'http://localhost');
    const [, bucket = '', ...key] = pathname.split('/');
    const object = `arn:aws:s3:::${bucket}/${decodeURIComponent(key.join('/'))}`;
    switch (operation) {
      case 'ListObjectsV2':
        return [{ action: 's3:ListBucket', resource: `arn:aws:s3:::${bucket}` }];
      case 'DeleteObjects':
        // Each key needs the permission; the functions have it for all objects of a bucket.
        return [{ action: 's3:DeleteObject', resource: `arn:aws:s3:::${bucket}/any` }];
      case 'GetObject':
      case 'PutObject':
        return [{ action: `s3:${operation}`, resource: object }];
      default:
        throw new UnknownCallError(`s3:${operation}`);
    }
  },
  errors: {
    refuse: { status: 403, name: 'AccessDenied' },
    throttle: { status: 503, name: 'SlowDown' },
    fail: { status: 500, name: 'InternalError' },
  },
  errorFormat: 's3-xml',
});
