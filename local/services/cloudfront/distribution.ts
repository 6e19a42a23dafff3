import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { GetObjectCommand, NoSuchKey, type S3Client } from '@aws-sdk/client-s3';
import { listen, readBody } from '../../aws-protocol/http.ts';
import { compileWildcard } from '../../event-patterns/value-patterns.ts';
import { bucketHost } from '../s3/resources.ts';
import type { EdgeFunction } from './edge-function.ts';

/** The headers that a behavior adds to answers. One that overrides replaces the origin's. */
export type ResponseHeaders = readonly {
  readonly name: string;
  readonly value: string;
  readonly overrides: boolean;
}[];

interface Behavior {
  readonly pathPattern: string;
  readonly originId: string;
  readonly methods: readonly string[];
  readonly headers: ResponseHeaders;
  readonly onRequest: EdgeFunction | undefined;
}

interface Origin {
  readonly host: string;
  readonly isBucket: boolean;
}

export interface DistributionRules {
  readonly origins: ReadonlyMap<string, Origin>;
  /** The first that fits is used; the default is last. */
  readonly behaviors: readonly Behavior[];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** CloudFront guesses no types; S3 has those that the upload gave, by the ending of the name. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const maxBodyBytes = 1024 * 1024;

/** Headers that belong to one connection. */
const hopByHop = new Set(['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding']);

/** Answers requests as CloudFront would by the rules of a distribution: from a bucket, or from another server. */
export class Distribution {
  readonly #s3: S3Client;

  constructor(s3: S3Client) {
    this.#s3 = s3;
  }

  serve(port: number, rules: DistributionRules): Promise<Server> {
    return listen(port, (request, response) => {
      this.#answer(request, rules).then(
        (answer) => send(request, response, answer),
        () => send(request, response, plain(502, 'The origin did not answer.')),
      );
    });
  }

  async #answer(request: IncomingMessage, { origins, behaviors }: DistributionRules): Promise<Answer> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const behavior = behaviors.find(({ pathPattern }) => compileWildcard(pathPattern, 'path')(pathname));
    const origin = behavior && origins.get(behavior.originId);
    if (behavior === undefined || origin === undefined) return plain(404, 'No behavior.');
    if (!behavior.methods.includes(request.method ?? 'GET')) return plain(403, 'The method is not allowed.');
    const path = behavior.onRequest?.(pathname) ?? pathname;
    const answer = origin.isBucket
      ? await this.#fromBucket(origin.host, path)
      : await fromServer(origin.host, `${path}${search}`, request);
    const headers: Record<string, string> = { ...answer.headers };
    for (const { name, value, overrides } of behavior.headers)
      if (overrides || headers[name] === undefined) headers[name] = value;
    return { ...answer, headers };
  }

  async #fromBucket(host: string, path: string): Promise<Answer> {
    const Key = decodeURIComponent(path.slice(1));
    try {
      const { Body, CacheControl } = await this.#s3.send(
        new GetObjectCommand({ Bucket: host.replace(bucketHost, ''), Key }),
      );
      const body = (await Body?.transformToByteArray()) ?? new Uint8Array();
      const headers = {
        'content-type': types[extname(Key)] ?? 'binary/octet-stream',
        ...(CacheControl !== undefined && { 'cache-control': CacheControl }),
      };
      return { status: 200, headers, body };
    } catch (error) {
      // S3 hides which objects are missing from callers that may not list a bucket.
      if (error instanceof NoSuchKey) return plain(403, 'AccessDenied');
      throw error;
    }
  }
}

async function fromServer(host: string, target: string, request: IncomingMessage): Promise<Answer> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    hopByHop.has(name) || value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const body = await readBody(request, maxBodyBytes);
  const response = await fetch(`http://${host}${target}`, {
    method: request.method ?? 'GET',
    headers,
    redirect: 'manual',
    ...(body !== undefined && body.length > 0 && { body: new Uint8Array(body) }),
  });
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].filter(([name]) => !hopByHop.has(name))),
    body: new Uint8Array(await response.arrayBuffer()),
  };
}

function plain(status: number, text: string): Answer {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, status === 304 ? headers : { ...headers, 'content-length': body.length });
  response.end(request.method === 'HEAD' || status === 304 ? undefined : body);
}
