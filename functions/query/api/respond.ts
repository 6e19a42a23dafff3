import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type Authorization, roles } from './caller.ts';
import { type Problem, problem } from './routes/problem.ts';

/** Returns a strong entity tag, which is the same for the same bytes. */
function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Returns whether `If-None-Match` holds a tag, compared weakly (RFC 9110, section 13.1.2).
 *
 * @param header a list of tags, or `*` for any
 */
function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, listed]) => listed === tag);
}

type Response = APIGatewayProxyStructuredResultV2;

/** Answers are about persons, so no shared cache may keep them, and a client has to revalidate each of them. */
const caching = { 'cache-control': 'private, no-cache' };

/** A body with the headers that describe it. */
export interface Content {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function jsonContent(view: object): Content {
  return { body: JSON.stringify(view), headers: { 'content-type': 'application/json' } };
}

/** Answers with a body, or with 304 if the client has it already. @param ifNoneMatch the request header */
export function success({ body, headers }: Content, ifNoneMatch: string | undefined): Response {
  // The same rows may get another page after them.
  const etag = entityTagOf(body + (headers.link ?? ''));
  if (matchesEntityTag(ifNoneMatch, etag)) return { statusCode: 304, headers: { ...caching, etag } };
  return { statusCode: 200, headers: { ...caching, etag, ...headers }, body };
}

/** Answers with what no cache may keep, and no ETag describes: a query by POST, or whole numbers for a user of the console. */
export function found({ body, headers }: Content): Response {
  return { statusCode: 200, headers: { 'cache-control': 'no-store', ...headers }, body };
}

export function bodyOf({ body, isBase64Encoded }: APIGatewayProxyEventV2): string | undefined {
  return body !== undefined && isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
}

export function failure(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return {
    statusCode: problem.status,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(problem),
  };
}

/** A smaller body takes one packet anyway. */
const minCompressedBytes = 1400;

/** Returns whether a reader accepts gzip (RFC 9110, section 12.5.3). @param header `Accept-Encoding` */
function acceptsGzip(header = ''): boolean {
  const [, quality = '1'] = /(?:^|,)\s*gzip\s*(?:;\s*q=([\d.]+)\s*)?(?=,|$)/i.exec(header) ?? [
    undefined,
    '0',
  ];
  return Number(quality) > 0;
}

/**
 * Compresses an answer if its reader accepts that: API Gateway does not. A page of a list is a tenth then, which on a link of 50 KB a second saves
 * more than a second.
 */
export function compressed(response: Response, acceptEncoding: string | undefined): Response {
  const { body = '', headers } = response;
  if (body.length < minCompressedBytes || !acceptsGzip(acceptEncoding)) return response;
  const etag = headers?.etag;
  return {
    ...response,
    headers: {
      ...headers,
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      // A strong tag would be that of other bytes.
      ...(etag !== undefined && { etag: `W/${etag}` }),
    },
    body: gzipSync(body).toString('base64'),
    isBase64Encoded: true,
  };
}

/** Removes the body, for HEAD. */
export function withoutBody({ body: _body, ...response }: Response): Response {
  return response;
}

export const noGroup = problem(
  'not-permitted',
  `You are not in one of the groups ${roles.join(', ')}: ask who runs this pipeline to add you to one.`,
);

export const notPermitted = problem(
  'not-permitted',
  'None of your groups allows it: ask who runs this pipeline.',
);

/** API Gateway names the caller here; the type of the event leaves it out. */
export function authorizationOf({ requestContext, headers }: APIGatewayProxyEventV2): Authorization {
  const authorizer = 'authorizer' in requestContext ? requestContext.authorizer : undefined;
  return { authorizer, header: headers.authorization };
}
