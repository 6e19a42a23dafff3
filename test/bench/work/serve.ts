import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import { closeServer, listen } from '../../../local/services/http.ts';

/** A server on a port of its own on the loopback interface. */
export interface Served {
  /** Host and port. */
  readonly address: string;
  /** Open connections end too. */
  stop(): Promise<void>;
}

/** What a server shows that it is itself with; PEM. */
export interface ServerIdentity {
  readonly key: string;
  readonly cert: string;
}

/** Longer than a process waits between two turns of its requests. */
const keepAliveTimeout = 75_000;

/** @param identity for HTTPS; without it, plain HTTP */
export async function serve(listener: RequestListener, identity?: ServerIdentity): Promise<Served> {
  const server =
    identity === undefined ? await listen(0, listener) : await listenSecurely(listener, identity);
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port');
  return { address: `127.0.0.1:${bound.port}`, stop: () => closeServer(server) };
}

async function listenSecurely(listener: RequestListener, identity: ServerIdentity): Promise<Server> {
  const server = createServer({ ...identity, keepAliveTimeout }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
