import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { UnknownCallError } from '../aws-protocol/call.ts';
import { closeServer, listen, sendJson } from '../aws-protocol/http.ts';
import { handleSettings } from '../aws-protocol/settings-endpoint.ts';
import type { Access } from '../iam/access.ts';
import { accessKeyIdOf, type Caller } from '../iam/caller.ts';
import { WithheldGrants } from '../iam/withheld-grants.ts';
import type { SecretArnOf } from '../services/secrets-manager/permissions.ts';
import { CallCounts } from './call-counts.ts';
import { ConnectionFaults } from './connection-faults.ts';
import type { Faults, FaultyCall } from './faults.ts';
import { applyFault, type Exchange, Forwarder } from './forward.ts';
import { type Addressee, type AwsRequest, addresseeOf, readCall } from './read-call.ts';
import { answerError } from './service-error.ts';

/** A port that everybody knows, and the one on which the service behind it listens. */
export interface Route {
  readonly publicPort: number;
  readonly servicePort: number;
  /** Whether it is the SMS service, which knows nothing of access keys; else it is AWS. */
  readonly isSmsService: boolean;
}

export interface GatewayParts {
  readonly access: Access;
  readonly secretArnOf: SecretArnOf;
  readonly faults: Faults;
}

export interface GatewayServer {
  close(): Promise<void>;
}

/** Where faults are set, on any of the ports. */
const FAULTS_PATH = '/local/faults';

/** Where connections of functions are ended, on any of the ports. */
const CONNECTIONS_PATH = '/local/connections';

/** Where functions are deprived of grants, on any of the ports. */
const WITHHELD_PATH = '/local/permissions/without';

/** Where is told who called what how often, on any of the ports. */
const CALLS_PATH = '/local/calls';

/** What of the SMS service's sandbox is no part of the service. */
const SANDBOX_PATH = '/sandbox';

/**
 * Stands in front of the services: lets through what is no function's call, and of a function what its role allows. The
 * rest gets the service's own AccessDenied error. What Lambda itself calls for a function was checked before. Of what is let
 * through, faults take their share; the rest is counted (`GET /local/calls`).
 */
export async function startGatewayServer(
  routes: readonly Route[],
  parts: GatewayParts,
): Promise<GatewayServer> {
  const counts = new CallCounts();
  const connections = new ConnectionFaults();
  const running = await Promise.all(
    routes.map(async ({ publicPort, servicePort, isSmsService }) => {
      const forwarder = new Forwarder(servicePort);
      const handle = isSmsService ? handleSmsServiceCall : handleAwsCall;
      const listening = listener(handle, { ...parts, forwarder, counts, connections });
      return { forwarder, server: await listen(publicPort, listening) };
    }),
  );
  return {
    async close() {
      for (const { forwarder } of running) forwarder.close();
      await Promise.all(running.map(({ server }) => closeServer(server)));
    },
  };
}

/** The parts with those of a port. */
interface PortParts extends GatewayParts {
  readonly forwarder: Forwarder;
  readonly counts: CallCounts;
  readonly connections: ConnectionFaults;
}

type Handle = (request: IncomingMessage, response: ServerResponse, parts: PortParts) => void | Promise<void>;

function listener(handle: Handle, parts: PortParts): RequestListener {
  return async (request, response) => {
    if (parts.connections.loses(request.socket)) return;
    try {
      if (request.url === CONNECTIONS_PATH) {
        await handleSettings(parts.connections, { connections: [] }, request, response);
      } else if (request.url === FAULTS_PATH) {
        await handleSettings(parts.faults, { faults: [] }, request, response);
      } else if (request.url === WITHHELD_PATH) {
        await handleSettings(new WithheldGrants(parts.access), { grants: [] }, request, response);
      } else if (request.url === CALLS_PATH && request.method === 'GET') {
        sendJson(response, 200, parts.counts.state);
      } else {
        await handle(request, response, parts);
      }
    } catch (error) {
      // Who was killed, or hung up, before he had said all is gone: nobody is to hear of it.
      const isCallerGone = request.destroyed && !request.complete;
      if (!isCallerGone)
        console.error(`${request.method} ${request.headers['x-amz-target'] ?? request.url}:`, error);
      // Whoever called takes it for a fault of the network, and may try again.
      response.destroy();
    }
  };
}

function handleSmsServiceCall(request: IncomingMessage, response: ServerResponse, parts: PortParts): void {
  const [path = '/'] = (request.url ?? '/').split('?');
  const exchange = { request, body: undefined, response };
  const operation = `${request.method} ${path}`;
  if (path.startsWith(SANDBOX_PATH)) parts.forwarder.forward(exchange);
  else pass({ caller: undefined, service: 'sms-service', operation }, exchange, parts);
}

async function handleAwsCall(
  request: IncomingMessage,
  response: ServerResponse,
  parts: PortParts,
): Promise<void> {
  const accessKeyId = accessKeyIdOf(request.headers.authorization);
  const caller = parts.access.find(accessKeyId);
  if (caller) return handleFunctionCall(caller, request, response, parts);
  const polled = parts.access.findPolled(accessKeyId);
  const exchange = { request, body: undefined, response };
  if (!polled) return parts.forwarder.forward(exchange);
  const call = { caller: `${polled.label} poller`, ...addressee(awsRequest(request), Buffer.of()) };
  pass(call, exchange, parts);
}

async function handleFunctionCall(
  caller: Caller,
  request: IncomingMessage,
  response: ServerResponse,
  parts: PortParts,
): Promise<void> {
  const { access, secretArnOf, connections } = parts;
  connections.note(caller.label, request.socket);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const [only] = chunks;
  const body = only && chunks.length === 1 ? only : Buffer.concat(chunks);
  const asked = awsRequest(request);
  const { service, operation } = addressee(asked, body);
  const denial = await readCall(asked, { service, operation }, body, secretArnOf).then(
    ({ permissions }) => access.denialOf(caller.accessKeyId, permissions),
    (error) => access.denyUnknown(caller.accessKeyId, `${service}:${operation}`, reasonOf(error)),
  );
  if (denial !== undefined) return answerError(response, service, 'refuse', denial);
  pass({ caller: caller.label, service, operation }, { request, body: chunks, response }, parts);
}

function pass(call: FaultyCall, exchange: Exchange, { faults, forwarder, counts }: PortParts): void {
  const hit = faults.take(call);
  if (hit) {
    applyFault(hit, call.service, exchange, forwarder);
    return;
  }
  const requestBytes = Number(exchange.request.headers['content-length'] ?? 0);
  forwarder.forward(exchange, (answerBytes, status) =>
    counts.add(call, { requestBytes, answerBytes, status }),
  );
}

function addressee(asked: AwsRequest, body: Buffer): Addressee {
  return addresseeOf(asked, body) ?? { service: 'events', operation: String(asked.target) };
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
