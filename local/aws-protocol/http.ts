import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hasOddLength } from '../../contract/text/json.ts';
import { foreignRequest, isFromThisMachine } from './local-request.ts';

/** Longer than clients keep idle connections, so that no client sends on a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Answers a request. What it throws is answered with 500. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/**
 * Serves HTTP on 127.0.0.1, for programs and pages of this machine only. No request ends the process.
 *
 * @param port 0 for a free one
 * @returns when it listens
 */
export async function listen(port: number, listener: Listener): Promise<Server> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isFromThisMachine(request.headers)) return listener(request, response);
    request.resume();
    sendJson(response, 403, { message: foreignRequest });
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      // A caller that hung up while it was sending is no problem of the server.
      if (request.destroyed && !request.complete) return;
      // Without the URL, which may have a number or a token.
      console.error(`a request by ${request.method} failed:`, error);
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { message: 'Internal Server Error' });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The port of a server that listens. */
export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Stops a server at once, open connections included. */
export async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Reads the request's body. Returns undefined if it is longer than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    // The rest is read and dropped, because a client that is still sending would not read an answer.
    if (size <= limit) chunks.push(chunk);
  }
  return size > limit ? undefined : Buffer.concat(chunks);
}

/** A body as JSON; undefined if it is not JSON, or has what no schema can check. */
export function parseJson(body: Buffer | string | undefined): unknown {
  try {
    const json: unknown = JSON.parse(String(body));
    return hasOddLength(json) ? undefined : json;
  } catch {
    return undefined;
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body) ?? 'null';
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
