import { createHash } from 'node:crypto';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { CursorError } from '../lists/cursor.ts';
import { EmptyRangeError } from '../lists/time-range.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { createAnswers, ParametersError, type Sources } from './answers.ts';
import { type Problem, problem } from './problem.ts';
import { matchRoute, PathEncodingError, type RouteMatch, type RouteName } from './routes.ts';

/** A strong entity tag: the same for the same bytes, wherever and whenever they are answered. */
function entityTagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Whether `If-None-Match` holds a tag, compared weakly (RFC 9110, section 13.1.2).
 *
 * @param header a list of tags, or `*` for any
 */
function matchesEntityTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(/(?:W\/)?("[^"]*")/g)].some(([, given]) => given === tag);
}

type Response = APIGatewayProxyStructuredResultV2;

/** What holds for every answer: it is about persons, so no shared cache keeps it, and each use of it asks whether it still holds. */
const caching = { 'cache-control': 'private, no-cache' };

/** @param ifNoneMatch the header, where the asker has an answer already */
function found(view: object, ifNoneMatch: string | undefined): Response {
  const body = JSON.stringify(view);
  const etag = entityTagOf(body);
  if (matchesEntityTag(ifNoneMatch, etag)) return { statusCode: 304, headers: { ...caching, etag } };
  return { statusCode: 200, headers: { ...caching, etag, 'content-type': 'application/json' }, body };
}

function refused(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return {
    statusCode: problem.status,
    headers: { 'cache-control': 'no-store', 'content-type': 'application/problem+json', ...headers },
    body: JSON.stringify(problem),
  };
}

/** The same without its body, as HEAD wants it. */
function withoutBody({ body: _body, ...response }: Response): Response {
  return response;
}

/** How DynamoDB and its client say that they cannot answer now, but may soon. */
const passing = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TimeoutError',
  'InternalServerError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
]);

/** How the network does. */
const passingCodes = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/** What a question failed with, as its asker is told; of what went wrong here nothing but that it did. */
function problemOf(error: unknown): Problem {
  if (error instanceof ParametersError) return wrongParameters(error.problems);
  if (error instanceof CursorError) return wrongParameters([{ parameter: 'cursor', detail: error.message }]);
  if (error instanceof EmptyRangeError)
    return wrongParameters([{ parameter: 'since', detail: error.message }]);
  if (error instanceof PathEncodingError) return problem('invalid-path', error.message);
  if (isPassing(error)) return problem('unavailable', 'Ask again in a moment.');
  return problem('internal', 'The cause is in the log of the function.');
}

function wrongParameters(problems: ParametersError['problems']): Problem {
  const count = problems.length === 1 ? 'One parameter is' : `${problems.length} parameters are`;
  return problem('invalid-parameters', `${count} wrong: see errors.`, problems);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return passing.has(error.name) || passingCodes.has(code);
}

export interface QueryDependencies extends Sources {
  readonly log: Log;
  readonly count: Count;
}

/** Answers one question of the query API. Never throws. */
export type AnswerQuery = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** How long an asker is asked to wait, in seconds, where the database does not answer in time. */
const retryAfterSeconds = 2;

const methods = ['GET', 'HEAD'];

export function createAnswerQuery({ log, count, ...sources }: QueryDependencies): AnswerQuery {
  const answers = createAnswers(sources);

  async function answer(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    const { method } = event.requestContext.http;
    try {
      const match = matchRoute(event.rawPath);
      if (match === undefined)
        return refused(problem('no-such-path', 'The paths there are, are listed in docs/query.md.'));
      if (!methods.includes(method))
        return refused(problem('method-not-allowed', 'History is read here, never changed.'), {
          allow: methods.join(', '),
        });
      return await answerMatch(match, event);
    } catch (error) {
      const failure = problemOf(error);
      if (failure.status < 500) return refused(failure);
      count('queryFailed');
      log('QUERY_FAILED', { error: error instanceof Error ? error.name : 'unknown' });
      return refused(failure, failure.status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {});
    }
  }

  async function answerMatch({ name, parameters }: RouteMatch, event: APIGatewayProxyEventV2) {
    const view = await answers[name]({ parameters, rawQueryString: event.rawQueryString });
    return view === undefined ? refused(unknown(name)) : found(view, event.headers['if-none-match']);
  }

  return async (event) => {
    const response = await answer(event);
    return event.requestContext.http.method === 'HEAD' ? withoutBody(response) : response;
  };
}

function unknown(name: RouteName): Problem {
  return name === 'getQuarantineEntry'
    ? problem('unknown-quarantine-entry', 'It was never in quarantine, or its retention has ended.')
    : problem('unknown-message', 'No report about it has been stored, or its retention has ended.');
}
