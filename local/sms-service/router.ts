import { type IncomingHttpHeaders, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { ZodError } from 'zod';
import type { Listener } from '../aws-protocol/http.ts';

/** The answer of a route. Its body is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem of an input: its path, and what is expected there. It never contains the value. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** The sandbox defines the shape of an error's body, because the service's document does not show it. */
export function errorAnswer(
  status: number,
  name: string,
  message: string,
  problems: readonly Problem[] = [],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: { error: { name, message, ...(problems.length > 0 && { problems }) } }, headers };
}

export const unauthorized = (message: string): Answer => errorAnswer(401, 'Unauthorized', message);

const notFound = (): Answer => errorAnswer(404, 'NotFound', 'The sandbox has no such operation');

const badPath = (): Answer => errorAnswer(400, 'BadRequest', 'The path cannot be read');

/** Lists the problems that a schema found, with their paths; `$` is the whole body. */
export function problemsOf(error: ZodError): Problem[] {
  return error.issues.flatMap(({ path, message, ...issue }) => {
    const pathOf = (...more: readonly PropertyKey[]) => [...path, ...more].map(String).join('.') || '$';
    if (issue.code !== 'unrecognized_keys') return [{ path: pathOf(), message }];
    return issue.keys.map((key) => ({ path: pathOf(key), message: 'not a known field' }));
  });
}

/** A request with its whole body. */
export interface SandboxRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly text: string;
  /** What the first group of the route's path matched; empty without a group. */
  readonly id: string;
}

export interface Route {
  readonly method: string;
  /** A whole path, or a pattern of it. */
  readonly path: string | RegExp;
  /** Protected operations need a valid Bearer token. */
  readonly isProtected: boolean;
  readonly answer: (request: SandboxRequest) => Reply | Promise<Reply>;
}

/** The sandbox does not answer. The connection stays open until the client times out or the sandbox closes. */
export const noAnswer = 'no answer';

type Reply = Answer | typeof noAnswer;

/** 20,000 events are about 5 MB. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Serves the routes, and answers 404 to every other request. */
export function createListener(
  routes: readonly Route[],
  hasValidToken: (headers: IncomingHttpHeaders) => boolean,
): Listener {
  async function answerTo(request: IncomingMessage): Promise<Reply> {
    const address = URL.parse(request.url ?? '/', 'http://sandbox');
    if (address === null) return badPath();
    const { pathname, searchParams: query } = address;
    const route = routes.find(({ method, path }) => method === request.method && isAt(path, pathname));
    const text = await readText(request);
    if (route === undefined) return notFound();
    if (text === undefined)
      return errorAnswer(413, 'PayloadTooLarge', `Expected at most ${maxBodyBytes} bytes`);
    if (route.isProtected && !hasValidToken(request.headers))
      return unauthorized('Expected the header Authorization: Bearer <token> with a valid token');
    const id = idIn(route.path, pathname);
    return id === undefined ? badPath() : route.answer({ headers: request.headers, query, text, id });
  }

  return async (request, response) => {
    const answer = await answerTo(request).catch((error: unknown) =>
      errorAnswer(500, 'InternalServerError', error instanceof Error ? error.name : 'unknown error'),
    );
    if (answer === noAnswer) return;
    const body = answer.body === undefined ? undefined : JSON.stringify(answer.body);
    response.writeHead(answer.status, STATUS_CODES[answer.status], {
      ...answer.headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    });
    response.end(body);
  };
}

/** The decoded first group of a path; undefined if its percent-encoding is invalid. */
function idIn(path: string | RegExp, pathname: string): string | undefined {
  const [, id = ''] = path instanceof RegExp ? (path.exec(pathname) ?? []) : [];
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

function isAt(path: string | RegExp, pathname: string): boolean {
  return path instanceof RegExp ? path.test(pathname) : path === pathname;
}

/** Returns undefined for a body that is too large. It is still read to its end, so that the answer arrives. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString('utf8') : undefined;
}
