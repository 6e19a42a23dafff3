import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

/** Longer than clients keep idle connections, so that no client sends on a connection that is being closed. */
const KEEP_ALIVE_MS = 75_000;

/** Serves HTTP on 127.0.0.1; resolves when it listens. */
export async function listen(port: number, listener: RequestListener): Promise<Server> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function loopbackUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
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

/** A body as JSON; undefined if it is not JSON. */
export function parseJson(body: Buffer | string | undefined): unknown {
  try {
    return JSON.parse(String(body));
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
