import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Problem } from '../core/query/problem.ts';
import { entityTagOf, matchesEntityTag } from './entity-tag.ts';

type Response = APIGatewayProxyStructuredResultV2;

/** What holds for every answer: it is about persons, so no shared cache keeps it, and each use of it asks whether it still holds. */
const caching = { 'cache-control': 'private, no-cache' };

/** @param ifNoneMatch the header, where the asker has an answer already */
export function found(view: object, ifNoneMatch: string | undefined): Response {
  const body = JSON.stringify(view);
  const etag = entityTagOf(body);
  if (matchesEntityTag(ifNoneMatch, etag)) return { statusCode: 304, headers: { ...caching, etag } };
  return { statusCode: 200, headers: { ...caching, etag, 'content-type': 'application/json' }, body };
}

export function refused(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return {
    statusCode: problem.status,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(problem),
  };
}

/** The same without its body, as HEAD wants it. */
export function withoutBody({ body: _body, ...response }: Response): Response {
  return response;
}
