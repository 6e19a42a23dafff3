import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
} from 'node:http';
import type { ZodError } from 'zod';

/** What a route answers; a body is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was wrong with an input: where, and what was expected there. Never what stood there. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** The shape of an error's body is the sandbox's own: the service's document does not show it. */
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

/** What a schema found, with the path of each problem; `$` is the whole body. */
export function problemsOf(error: ZodError): Problem[] {
  return error.issues.flatMap(({ path, message, ...issue }) => {
    const at = (...more: readonly PropertyKey[]) => [...path, ...more].map(String).join('.') || '$';
    if (issue.code !== 'unrecognized_keys') return [{ path: at(), message }];
    return issue.keys.map((key) => ({ path: at(key), message: 'not a known field' }));
  });
}

/** The text of a body as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request, read whole. */
export interface SandboxRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  readonly text: string;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  /** Protected operations need a Bearer token that is good. */
  readonly isProtected: boolean;
  readonly answer: (request: SandboxRequest) => Reply | Promise<Reply>;
}

/** Nothing is answered: the connection stays open until the client gives up, or the sandbox closes. */
export const noAnswer = 'no answer';

type Reply = Answer | typeof noAnswer;

/** 20,000 events are about 5 MB. */
const maximumBodyBytes = 64 * 1024 * 1024;

/** Serves the routes; the rest is 404. */
export function createRequestListener(
  routes: readonly Route[],
  isGoodToken: (headers: IncomingHttpHeaders) => boolean,
): RequestListener {
  async function answerTo(request: IncomingMessage): Promise<Reply> {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://sandbox');
    const route = routes.find(({ method, path }) => method === request.method && path === pathname);
    const text = await readText(request);
    if (route === undefined) return notFound();
    if (text === undefined)
      return errorAnswer(413, 'PayloadTooLarge', `Expected at most ${maximumBodyBytes} bytes`);
    if (route.isProtected && !isGoodToken(request.headers))
      return unauthorized('Expected the header Authorization: Bearer <token> with a token that is good');
    return route.answer({ headers: request.headers, query, text });
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

/** Undefined for a body that is too large; it is read to its end all the same, so that the answer arrives. */
async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= maximumBodyBytes) chunks.push(chunk);
  }
  return size <= maximumBodyBytes ? Buffer.concat(chunks).toString('utf8') : undefined;
}
