import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { generate } from 'selfsigned';
import { onTestFinished } from 'vitest';

/** A request as it left the proxy. */
interface Seen {
  readonly host: string;
  readonly path: string;
  readonly body: string;
}

/** An answer of the internet: JSON, or XML for a text. */
export type Answer = (seen: Seen) => { readonly status?: number; readonly body: object | string };

/** The hosts that the internet has. */
const names = [
  'hooks.example.com',
  '*.us-east-1.amazonaws.com',
  'portal.sso.us-east-1.amazonaws.com',
  'api.execute-api.us-east-1.amazonaws.com',
];

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/**
 * A proxy on this machine, and behind it an internet whose hosts have no addresses here. Both live as long as the test.
 *
 * @param user the user and the password that the proxy demands, `user:password`
 */
export async function startProxy(answer: Answer, user?: string) {
  const { private: key, cert } = await generate([{ name: 'commonName', value: `internet ${randomUUID()}` }], {
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
    ],
  });
  const seen: Seen[] = [];
  const tunnels: string[] = [];
  const internet = createHttpsServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one = {
      host: request.headers.host ?? '',
      path: request.url ?? '',
      body: Buffer.concat(chunks).toString(),
    };
    seen.push(one);
    const { status = 200, body } = answer(one);
    response.writeHead(status, {
      'content-type': typeof body === 'string' ? 'text/xml' : 'application/json',
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const port = await listen(internet);
  const proxy = createHttpServer();
  const open = new Set<Socket>();
  const expected = user && `Basic ${Buffer.from(user).toString('base64')}`;
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    tunnels.push(url);
    if (expected !== undefined && headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    open.add(upstream);
    upstream.on('error', () => upstream.destroy());
  });
  const proxyPort = await listen(proxy);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    internet.closeAllConnections();
    for (const server of [proxy, internet]) server.close();
  });
  return { address: `127.0.0.1:${proxyPort}`, certificate: cert, seen, tunnels };
}
