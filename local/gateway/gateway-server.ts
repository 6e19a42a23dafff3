import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { closeServer, listen } from '../services/http.ts';
import type { Access } from './access.ts';
import { UnknownCallError } from './call.ts';
import { accessKeyIdOf, type Caller } from './caller.ts';
import type { SecretArnOf } from './calls/secrets-manager.ts';
import type { FaultChooser } from './faults.ts';
import { Forwarder } from './forward.ts';
import { type AwsRequest, addresseeOf, readCall } from './read-call.ts';
import { refuse } from './refusal.ts';

/** A port that everybody knows, and the one on which the service behind it listens. */
export interface Route {
  readonly publicPort: number;
  readonly servicePort: number;
}

export interface GatewayParts {
  readonly access: Access;
  readonly secretArnOf: SecretArnOf;
  readonly faultOf: FaultChooser;
}

export interface GatewayServer {
  close(): Promise<void>;
}

/**
 * Stands in front of the AWS services: lets through what is no function's call, and of a function what its role allows. The
 * rest gets the service's own AccessDenied error.
 */
export async function startGatewayServer(
  routes: readonly Route[],
  parts: GatewayParts,
): Promise<GatewayServer> {
  const running = await Promise.all(
    routes.map(async ({ publicPort, servicePort }) => {
      const forwarder = new Forwarder(servicePort);
      return { forwarder, server: await listen(publicPort, listener(forwarder, parts)) };
    }),
  );
  return {
    async close() {
      for (const { forwarder } of running) forwarder.close();
      await Promise.all(running.map(({ server }) => closeServer(server)));
    },
  };
}

function listener(forwarder: Forwarder, parts: GatewayParts): RequestListener {
  return (request, response) => {
    const caller = parts.access.find(accessKeyIdOf(request.headers.authorization));
    if (!caller) return forwarder.forward(request, undefined, response);
    handle(caller, request, response, forwarder, parts).catch(() => response.destroy());
  };
}

async function handle(
  caller: Caller,
  request: IncomingMessage,
  response: ServerResponse,
  forwarder: Forwarder,
  { access, secretArnOf, faultOf }: GatewayParts,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [only] = chunks;
  const body = only && chunks.length === 1 ? only : Buffer.concat(chunks);
  const asked = awsRequest(request);
  const addressee = addresseeOf(asked, body) ?? { service: 'events', operation: String(asked.target) };
  const { service, operation } = addressee;
  const denial = await readCall(asked, addressee, body, secretArnOf).then(
    ({ permissions }) => access.denialOf(caller.accessKeyId, permissions),
    (error) => access.denyUnknown(caller.accessKeyId, `${service}:${operation}`, reasonOf(error)),
  );
  if (denial !== undefined) return refuse(response, service, denial);
  const forward = (answer: 'give' | 'drop'): void => {
    forwarder.forward(request, chunks, answer === 'give' ? response : undefined);
  };
  const fault = faultOf({ caller: caller.label, service, operation });
  if (fault) fault(response, forward);
  else forward('give');
}

function awsRequest({ method = 'GET', url = '/', headers }: IncomingMessage): AwsRequest {
  const target = headers['x-amz-target'];
  return {
    method,
    url,
    target: typeof target === 'string' ? target : undefined,
    contentType: headers['content-type'],
  };
}

/** @throws what is not about the call */
function reasonOf(error: unknown): string {
  if (error instanceof UnknownCallError) return error.message;
  throw error;
}
