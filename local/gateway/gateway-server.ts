import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type AwsRequest, UnknownCallError } from '../aws-protocol/call.ts';
import { closeServer, listen, sendJson } from '../aws-protocol/http.ts';
import { handleSettings } from '../aws-protocol/settings-endpoint.ts';
import type { Access } from '../iam/access.ts';
import { accessKeyIdOf, type Caller } from '../iam/caller.ts';
import { WithheldGrants } from '../iam/withheld-grants.ts';
import type { ServiceCall } from '../services/definition/define-service.ts';
import { eventBridge } from '../services/event-bridge/service.ts';
import { CallCounts } from './call-counts.ts';
import { ConnectionFaults } from './connection-faults.ts';
import type { Faults, FaultyCall } from './faults.ts';
import { applyFault, type Exchange, Forwarder } from './forward.ts';
import { type Addressee, addresseeOf, permissionsOf } from './read-call.ts';
import { answerError, SMS_SERVICE } from './service-error.ts';

/** A port that callers use, and the port on which the service behind it listens. */
export interface Route {
  readonly publicPort: number;
  readonly servicePort: number;
  /** The access key id under which the service keeps what it holds, in place of the caller's. */
  readonly accessKeyId?: string;
  /** Whether it is the SMS service, which has no access keys; else it is an AWS service. */
  readonly isSmsService: boolean;
}

export interface GatewayParts {
  readonly access: Access;
  readonly secretArnOf: ServiceCall['secretArnOf'];
  readonly faults: Faults;
}

export interface GatewayServer {
  close(): Promise<void>;
}

/** Faults are set here, on any of the ports. */
const FAULTS_PATH = '/local/faults';

/** Connections of functions are ended here, on any of the ports. */
const CONNECTIONS_PATH = '/local/connections';

/** Grants are withheld from functions here, on any of the ports. */
const WITHHELD_PATH = '/local/permissions/without';

/** The counts of calls are shown here, on any of the ports. */
const CALLS_PATH = '/local/calls';

/** Addresses of the sandbox that the real SMS service does not have. */
const SANDBOX_PATH = '/sandbox';

/**
 * Starts the proxy in front of the services. It forwards requests that come from no function, and calls of functions that the function's role
 * allows. It answers other calls with the service's own AccessDenied error. It does not check the calls that Lambda itself makes for a
 * function: they were checked when the stacks were made. It applies faults to forwarded calls, and counts the calls without a fault
 * (`GET /local/calls`).
 */
export async function startGatewayServer(
  routes: readonly Route[],
  parts: GatewayParts,
): Promise<GatewayServer> {
  const counts = new CallCounts();
  const connections = new ConnectionFaults();
  const running = await Promise.all(
    routes.map(async ({ publicPort, servicePort, accessKeyId, isSmsService }) => {
      const forwarder = new Forwarder(servicePort, accessKeyId);
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

/** The gateway's parts, with those of one port. */
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
      // A caller that was killed, or hung up while it was sending, is no problem of the gateway.
      const isCallerGone = request.destroyed && !request.complete;
      if (!isCallerGone)
        console.error(`${request.method} ${request.headers['x-amz-target'] ?? 'without a target'}:`, error);
      // The caller sees a network error, and may retry.
      response.destroy();
    }
  };
}

function handleSmsServiceCall(request: IncomingMessage, response: ServerResponse, parts: PortParts): void {
  const [path = '/'] = (request.url ?? '/').split('?');
  const exchange = { request, body: undefined, response };
  const operation = `${request.method} ${path}`;
  if (path.startsWith(SANDBOX_PATH)) parts.forwarder.forward(exchange);
  else pass({ caller: undefined, service: SMS_SERVICE, operation }, exchange, parts);
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
  const { service, operation } = addressee(awsRequest(request), Buffer.of());
  pass({ caller: `${polled.label} poller`, service: service.name, operation }, exchange, parts);
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
  const awsCall = awsRequest(request);
  const { service, operation } = addressee(awsCall, body);
  const denial = await permissionsOf(service, { operation, request: awsCall, body, secretArnOf }).then(
    (permissions) => access.denialOf(caller.accessKeyId, permissions),
    (error) => access.denyUnknown(caller.accessKeyId, `${service.name}:${operation}`, reasonOf(error)),
  );
  if (denial !== undefined) return answerError(response, service.name, 'refuse', denial);
  pass(
    { caller: caller.label, service: service.name, operation },
    { request, body: chunks, response },
    parts,
  );
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

/** An unknown service is treated as EventBridge, which has no operation of such a name: the call is denied. */
function addressee(request: AwsRequest, body: Buffer): Addressee {
  return addresseeOf(request, body) ?? { service: eventBridge, operation: String(request.target) };
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

/** @throws every other error */
function reasonOf(error: unknown): string {
  if (error instanceof UnknownCallError) return error.message;
  throw error;
}
