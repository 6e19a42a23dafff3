import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { handleAwsJson, type Operations } from './aws-json.ts';
import { listen, sendJson } from './http.ts';

/** An address of a service that does not speak the AWS JSON protocol. */
export interface AwsRoute {
  /** Missing: the route accepts every method. */
  readonly method?: string;
  /** Matches the path without its query. */
  readonly path: RegExp;
  /** @param match the decoded first group of `path`, or '' */
  answer(match: string, request: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

/** The answers of one service on the port that the stand-ins share. */
export interface AwsAnswers {
  readonly operations?: Operations;
  readonly routes?: readonly AwsRoute[];
}

/** Serves the services that no npm package offers, for example Secrets Manager, EventBridge and Lambda's Invoke, on one port. */
export function startAwsEndpoint(port: number, services: readonly AwsAnswers[]): Promise<Server> {
  const operations = new Map(services.flatMap((service) => [...(service.operations ?? [])]));
  const routes = services.flatMap((service) => service.routes ?? []);
  return listen(port, (request, response) =>
    answer(operations, routes, request, response).catch((error) => {
      sendJson(response, 500, { __type: 'InternalFailure', message: String(error) });
    }),
  );
}

async function answer(
  operations: Operations,
  routes: readonly AwsRoute[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = '/'] = (request.url ?? '/').split('?');
  if (request.method === 'POST' && path === '/') return handleAwsJson(operations, request, response);
  for (const route of routes) {
    if (route.method !== undefined && route.method !== request.method) continue;
    const match = route.path.exec(path);
    if (!match) continue;
    const name = decoded(match[1] ?? '');
    if (name !== undefined) return route.answer(name, request, response);
    return sendJson(response, 400, {
      __type: 'SerializationException',
      message: 'The percent-encoding of the path cannot be read.',
    });
  }
  sendJson(response, 404, {
    __type: 'UnknownOperationException',
    message: 'The operation is not supported on one machine.',
  });
}

/** Percent-decodes a text; undefined for an invalid one. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
