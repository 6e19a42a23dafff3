import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Outcome } from '../lambda/protocol.ts';
import type { LocalFunction } from '../lambda/registry.ts';
import { listen, readBody } from '../services/http.ts';
import { proxyEvent } from './event.ts';
import { type AuthorizationType, signerOf } from './iam-authorization.ts';
import { answerOf, type HttpAnswer, messageAnswer } from './response.ts';
import { decodedPath, type Route, selectRoute } from './routes.ts';

/** API Gateway's quota for a request's body. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** API Gateway's quota for an integration's answer. */
const INTEGRATION_TIMEOUT_MS = 30_000;

interface Target {
  readonly function: LocalFunction;
  readonly authorizationType: AuthorizationType;
}

/** The HTTP API of the templates: routes are added while the stacks are made. */
export class HttpApi {
  readonly apiId: string;
  readonly #routes: Route<Target>[] = [];
  readonly #now: () => number;

  /** @param now gives ms since the epoch */
  constructor(apiId: string, now: () => number) {
    this.apiId = apiId;
    this.#now = now;
  }

  addRoute(key: string, target: LocalFunction, authorizationType: AuthorizationType = 'NONE'): void {
    this.#routes.push({ key, target: { function: target, authorizationType } });
  }

  listen(port: number): Promise<Server> {
    return listen(port, (request, response) => {
      this.#answer(request)
        .catch(() => messageAnswer(500, 'Internal Server Error'))
        .then(({ status, headers, body }) => {
          response.writeHead(status, {
            ...headers,
            'apigw-requestid': randomUUID(),
            'content-length': body.length,
          });
          response.end(request.method === 'HEAD' ? undefined : body);
        });
    });
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const body = await readBody(request, MAX_BODY_BYTES);
    const path = decodedPath(request.url ?? '/');
    const match = selectRoute(this.#routes, request.method ?? 'GET', path);
    if (!match) return messageAnswer(404, 'Not Found');
    const { route, pathParameters } = match;
    const needsSigner = route.target.authorizationType === 'AWS_IAM';
    const now = this.#now();
    const signer = needsSigner ? signerOf(request.headers, now) : undefined;
    if (needsSigner && !signer) return messageAnswer(403, 'Forbidden');
    if (!body) return messageAnswer(413, 'Request Entity Too Large');
    const event = proxyEvent(request, {
      apiId: this.apiId,
      routeKey: route.key,
      path,
      pathParameters,
      body,
      signer,
      now,
    });
    const outcome = await withinTimeout(route.target.function.pool.invoke(event));
    if (!outcome) return messageAnswer(503, 'Service Unavailable');
    return outcome.ok ? answerOf(outcome.result) : messageAnswer(500, 'Internal Server Error');
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
