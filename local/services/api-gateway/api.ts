import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import { listen, readBody } from '../../aws-protocol/http.ts';
import { requestedTime } from '../../aws-protocol/local-clock.ts';
import { forwardedRequest, isForwarded } from '../../aws-protocol/local-request.ts';
import type { Outcome } from '../../function-hosts/protocol.ts';
import type { LocalFunction } from '../lambda/functions.ts';
import type { AccessContext } from './access-log.ts';
import { signerOf } from './iam-authorization.ts';
import { answerOf, bodyless, type HttpAnswer, messageAnswer, proxyEvent } from './payload.ts';
import { decodedPath, type Route, type RouteMatch, selectRoute } from './routes.ts';
import { Throttles } from './throttles.ts';

/** API Gateway's quota for a request's body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** API Gateway's quota for an integration's answer. */
const INTEGRATION_TIMEOUT_MS = 30_000;

/** Answers who sent a request, or API Gateway's own answer to a request that is not authorized. @param now ms since the epoch */
export type Authorize = (headers: IncomingHttpHeaders, now: number) => Promise<Authorized>;

export type Authorized =
  | { readonly kind: 'authorized'; readonly authorizer: object | undefined }
  | { readonly kind: 'rejected'; readonly answer: HttpAnswer };

/** Anyone may call a route without authorization. */
export const authorizeAll: Authorize = async () => ({ kind: 'authorized', authorizer: undefined });

/** Callers by IAM sign their requests. The signature itself is not checked, so strangers behind a tunnel are rejected. */
export const authorizeByIam: Authorize = async (headers, now) => {
  if (isForwarded(headers)) return { kind: 'rejected', answer: messageAnswer(403, forwardedRequest) };
  const authorizer = signerOf(headers, now);
  return authorizer === undefined
    ? { kind: 'rejected', answer: messageAnswer(403, 'Forbidden') }
    : { kind: 'authorized', authorizer };
};

interface Target {
  readonly function: LocalFunction;
  readonly authorize: Authorize;
}

/** An HTTP API of the templates: routes are added while the stacks are made. */
export class HttpApi {
  readonly apiId: string;
  /** The throttles of the stage; none until the stage is made. */
  readonly throttles = new Throttles();
  #log: (context: AccessContext) => void = () => {};
  readonly #routes: Route<Target>[] = [];
  readonly #now: () => number;

  /** @param now gives ms since the epoch */
  constructor(apiId: string, now: () => number) {
    this.apiId = apiId;
    this.#now = now;
  }

  addRoute(key: string, target: LocalFunction, authorize: Authorize = authorizeAll): void {
    this.#routes.push({ key, target: { function: target, authorize } });
  }

  /** Passes every answer to `log`, the access log of the stage. */
  logTo(log: (context: AccessContext) => void): void {
    this.#log = log;
  }

  listen(port: number): Promise<Server> {
    return listen(port, (request, response) => {
      const requestId = randomUUID();
      const begunAt = this.#now();
      const path = decodedPath(request.url ?? '/');
      const match = selectRoute(this.#routes, request.method ?? 'GET', path);
      return this.#answer(request, path, match)
        .catch(() => messageAnswer(500, 'Internal Server Error'))
        .then(({ status, headers, body }) => {
          response.writeHead(status, {
            ...headers,
            'apigw-requestid': requestId,
            // The only answer without content that needs its length is 205: a client knows its end by it (RFC 9110, sections 8.6 and 15.3.6).
            ...((status === 205 || !bodyless.has(status)) && { 'content-length': body.length }),
          });
          response.end(request.method === 'HEAD' ? undefined : body);
          this.#log({
            requestId,
            'identity.sourceIp': request.socket.remoteAddress ?? '-',
            routeKey: match?.route.key ?? '-',
            status: String(status),
            responseLatency: String(this.#now() - begunAt),
          });
        });
    });
  }

  async #answer(
    request: IncomingMessage,
    path: string,
    match: RouteMatch<Target> | undefined,
  ): Promise<HttpAnswer> {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (!match) return messageAnswer(404, 'Not Found');
    const { route, pathParameters } = match;
    const now = this.#now();
    if (!this.throttles.admits(route.key, now)) return messageAnswer(429, 'Too Many Requests');
    const authorized = await route.target.authorize(request.headers, now);
    if (authorized.kind === 'rejected') return authorized.answer;
    if (!body) return messageAnswer(413, 'Request Entity Too Large');
    const clock = requestedTime(request.headers, now);
    if (clock.kind === 'error') return messageAnswer(400, clock.error);
    const event = proxyEvent(request, {
      apiId: this.apiId,
      routeKey: route.key,
      path,
      pathParameters,
      body,
      authorizer: authorized.authorizer,
      now: now + (clock.offsetMs ?? 0),
    });
    const outcome = await withinTimeout(route.target.function.pool.invoke(event, clock.offsetMs));
    if (!outcome) return messageAnswer(503, 'Service Unavailable');
    return outcome.kind === 'ok' ? answerOf(outcome.value) : messageAnswer(500, 'Internal Server Error');
  }
}

async function withinTimeout(invocation: Promise<Outcome>): Promise<Outcome | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, INTEGRATION_TIMEOUT_MS, undefined);
  });
  try {
    return await Promise.race([invocation, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
