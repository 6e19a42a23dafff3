import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach } from 'vitest';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { createCards, createContacts } from '../../../../local/sms-service/contacts.ts';
import { createFaults } from '../../../../local/sms-service/faults.ts';
import { createListener } from '../../../../local/sms-service/router.ts';
import { type SmsServiceSandboxOptions, startSmsService } from '../../../../local/sms-service/sandbox.ts';
import { createTokens } from '../../../../local/sms-service/token.ts';
import { createWebhook } from '../../../../local/sms-service/webhook.ts';
import { webhookRoutes } from '../../../../local/sms-service/webhook-routes.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { callListener } from '../../../support/in-memory-http.ts';

export const apiKey = 'the-api-key-of-the-test';

const closing = new Set<{ close(): Promise<void> }>();

afterEach(async () => {
  for (const server of closing) await server.close();
  closing.clear();
});

/** Calls an address of a sandbox; the answer's body is JSON or empty. */
type Ask = (
  method: string,
  path: string,
  text: string | undefined,
  headers: Record<string, string>,
) => Promise<{ status: number; text: string; headers: Readonly<Record<string, string>> }>;

/** A plain client of a sandbox. */
function clientOf(ask: Ask) {
  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const answer = await ask(method, path, text, headers);
    const json: unknown = answer.text === '' ? undefined : JSON.parse(answer.text);
    return { status: answer.status, json, headers: answer.headers };
  }
  const exchange = async () =>
    String(Object((await call('POST', '/v1/auth/token', { api_key: apiKey })).json).access_token);
  return {
    call,
    exchange,
    /** A call with a token. */
    authorized: async (method: string, path: string, body?: unknown) =>
      call(method, path, body, { authorization: `Bearer ${await exchange()}` }),
  };
}

/** A sandbox with a plain client; closed after the test. */
export async function startSandbox(
  options: Partial<SmsServiceSandboxOptions> = {},
  contract: Contract = shippedContract,
) {
  const sandbox = await startSmsService({ port: 0, contract, apiKey, ...options });
  closing.add(sandbox);
  const client = clientOf(async (method, path, text, headers) => {
    const body = text === undefined ? {} : { body: text };
    const response = await fetch(sandbox.url + path, { method, headers, ...body });
    const { status } = response;
    return { status, text: await response.text(), headers: Object.fromEntries(response.headers) };
  });
  return { ...sandbox, ...client };
}

/** The operations of a sandbox except those that send events, without a connection. */
export function inMemorySandbox(options: Partial<Omit<SmsServiceSandboxOptions, 'port'>> = {}) {
  const { contract = shippedContract, clock = Date.now, sleep = async () => undefined } = options;
  const tokens = createTokens(contract, apiKey, clock);
  const faults = createFaults(tokens.expireAll);
  const webhook = createWebhook(
    () => contract.webhook.signature,
    clock,
    () => faults.current().oldSecretForMs,
  );
  const routes = [
    ...tokens.routes,
    ...createContacts(faults).routes,
    ...createCards().routes,
    ...webhookRoutes(webhook, faults, { clock, sleep }),
    ...faults.routes,
  ];
  const listener = createListener(routes, tokens.isValid);
  const client = clientOf((method, path, body, headers) =>
    callListener(listener, { method, path, body, headers }),
  );
  return { ...client, webhook };
}

export interface Delivered {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Receives webhooks, and answers each with the status that `decide` gives; closed after the test. */
export async function startReceiver(
  decide: (delivered: Delivered, count: number) => number | 'break off' | Promise<number> = () => 200,
) {
  const deliveries: Delivered[] = [];
  const sockets = new Set<unknown>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const delivered = { headers: request.headers, body: Buffer.concat(chunks) };
    deliveries.push(delivered);
    sockets.add(request.socket);
    const status = await decide(delivered, deliveries.length);
    if (status === 'break off') request.socket.destroy();
    else response.writeHead(status).end('{"id":"1"}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const receiver = {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/webhooks/sms`,
    deliveries,
    /** Connections that were made. */
    connections: () => sockets.size,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  closing.add(receiver);
  return receiver;
}
