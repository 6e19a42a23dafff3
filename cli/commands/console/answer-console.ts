import { createHash } from 'node:crypto';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { errorName, omitUndefined } from '../../../functions/base/basics.ts';
import { answerReplay } from '../../../functions/query/index.ts';
import { type HealthView, problem } from '../../../functions/query/shapes.ts';
import type { Connection } from '../../target/connection.ts';
import { CommandFailure } from '../../target/errors.ts';
import { type ConsoleAnswer, type ConsoleRequest, json, problemOf } from './console-server.ts';

export interface ConsoleParts {
  readonly connection: Pick<Connection, 'quarantine' | 'requeue'>;
  /** Sends a request to the query API, signed. */
  readonly query: typeof fetch;
  /** The origin of the query API. */
  readonly origin: string;
  readonly health: () => Promise<HealthView>;
  /** Reads the contract that the pipeline works by. @throws CommandFailure for another one, or none */
  readonly readContract: () => Promise<Contract>;
  /** The source whose contract and queue the connection has. */
  readonly source: string;
}

const replayPath = /^\/v1\/quarantine\/(?<entryId>[^/]+)\/replay$/;

/** The headers of the query API that the page uses. */
const passedOn = ['content-type', 'etag', 'cache-control', 'retry-after', 'allow'];

/**
 * Answers the requests of the console's page. It does what a console needs beyond queries with the operator's own permissions, so that no
 * function of the pipeline has them. Everything else goes to the query API.
 */
export function createAnswerConsole(
  parts: ConsoleParts,
): (request: ConsoleRequest) => Promise<ConsoleAnswer> {
  return async (request) => {
    const { method, path } = request;
    const entryId = replayPath.exec(path)?.groups?.entryId;
    if (entryId !== undefined)
      return method === 'POST' ? replay(decode(entryId), request.body, parts) : notAllowed('POST');
    if (path === '/v1/health')
      return method === 'GET' || method === 'HEAD'
        ? tagged(await parts.health(), request)
        : notAllowed('GET, HEAD');
    return forward(request, parts);
  };
}

function notAllowed(allow: string): ConsoleAnswer {
  const answer = problemOf(problem('method-not-allowed', `Use ${allow}.`));
  return { ...answer, headers: { ...answer.headers, allow } };
}

/** Answers with a tag, by which the page asks whether something changed. */
function tagged(body: object, { ifNoneMatch }: ConsoleRequest): ConsoleAnswer {
  const answer = json(body);
  const etag = `"${createHash('sha256')
    .update(answer.body ?? '')
    .digest('base64url')}"`;
  const headers = { ...answer.headers, 'cache-control': 'private, no-cache', etag };
  return ifNoneMatch === etag ? { status: 304, headers } : { ...answer, headers };
}

async function forward(
  { method, path, search, ifNoneMatch, body }: ConsoleRequest,
  { query, origin }: ConsoleParts,
): Promise<ConsoleAnswer> {
  try {
    const response = await query(`${origin}${encodedOnce(path)}${search}`, {
      method,
      headers: omitUndefined({
        'if-none-match': ifNoneMatch,
        'content-type': body === undefined ? undefined : 'application/json',
      }) as Record<string, string>,
      ...(body === undefined ? {} : { body }),
    });
    const headers = passedOn.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
    const text = await response.text();
    return { status: response.status, headers: Object.fromEntries(headers), ...(text && { body: text }) };
  } catch (error) {
    if (error instanceof URIError)
      return problemOf(problem('invalid-path', 'The percent-encoding of the path cannot be read.'));
    const detail = `The query API did not answer (${errorName(error)}): check the credentials of the terminal, and the network.`;
    return problemOf({ type: 'about:blank', status: 502, title: 'The query API did not answer', detail });
  }
}

async function replay(
  id: string | undefined,
  body: string | undefined,
  { connection, readContract, source }: ConsoleParts,
): Promise<ConsoleAnswer> {
  if (id === undefined) return problemOf(problem('invalid-path', 'The id cannot be read.'));
  try {
    const answer = await answerReplay(id, body, async () => ({
      source,
      contract: await readContract(),
      quarantine: await connection.quarantine(),
      requeue: await connection.requeue(),
    }));
    return answer.kind === 'problem' ? problemOf(answer.problem) : json(answer.view);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return problemOf(problem('not-permitted', error.message));
  }
}

/** Returns a path with each segment encoded once, as a signer takes it. @throws URIError, also for a segment that leads out of the path */
function encodedOnce(path: string): string {
  const segments = path.split('/').map(idOfSegment);
  if (segments.some((segment) => segment === '.' || segment === '..'))
    throw new URIError('a segment of dots is no id');
  return segments.map(encodeURIComponent).join('/');
}

/** Returns an id as the page has it. The page encodes an id twice that API Gateway would misread, and such an id has a "%" after the first decoding. */
function idOfSegment(segment: string): string {
  const once = decodeURIComponent(segment);
  return once.includes('%') ? decodeURIComponent(once) : once;
}

function decode(segment: string): string | undefined {
  try {
    return idOfSegment(segment);
  } catch {
    return undefined;
  }
}
