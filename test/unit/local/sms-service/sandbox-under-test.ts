import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterEach } from 'vitest';
import type { Contract } from '../../../../contract/schema/contract-schema.ts';
import { type SmsServiceSandboxOptions, startSmsService } from '../../../../local/sms-service/sandbox.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';

export const apiKey = 'the-api-key-of-the-test';

const closing = new Set<{ close(): Promise<void> }>();

afterEach(async () => {
  for (const server of closing) await server.close();
  closing.clear();
});

/** A sandbox with a plain HTTP client of it; closed after the test. */
export async function startSandbox(
  options: Partial<SmsServiceSandboxOptions> = {},
  contract: Contract = shippedContract,
) {
  const sandbox = await startSmsService({ port: 0, contract, apiKey, ...options });
  closing.add(sandbox);

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const response = await fetch(sandbox.url + path, {
      method,
      headers,
      ...(text !== undefined && { body: text }),
    });
    const answer = await response.text();
    const json: unknown = answer === '' ? undefined : JSON.parse(answer);
    return { status: response.status, json, headers: response.headers };
  }

  async function exchange(): Promise<string> {
    const { json } = await call('POST', '/v1/auth/token', { api_key: apiKey });
    return typeof json === 'object' && json !== null && 'access_token' in json
      ? String(json.access_token)
      : '';
  }

  return {
    ...sandbox,
    call,
    exchange,
    /** A call with a token. */
    async authorized(method: string, path: string, body?: unknown) {
      return call(method, path, body, { authorization: `Bearer ${await exchange()}` });
    },
  };
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
