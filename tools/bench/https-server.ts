import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { closeServer, listen } from '../../local/aws-protocol/http.ts';

/** A server on a port of its own on the loopback interface. */
export interface Served {
  /** Host and port. */
  readonly address: string;
  /** Open connections end too. */
  stop(): Promise<void>;
}

/** The certificate and the key of a server; PEM. */
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

/**
 * Makes a certificate for 127.0.0.1 with an elliptic curve's key, good for a day.
 *
 * @param file receives the certificate, for the `NODE_EXTRA_CA_CERTS` of those who are to trust it
 */
export async function makeCertificate(file: string): Promise<ServerIdentity> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  writeFileSync(file, cert);
  return { key, cert };
}
