import { createHash } from 'node:crypto';
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
