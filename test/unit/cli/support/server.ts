import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';

export interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A received request with its body. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** An HTTP server on a free port that lives as long as the test. */
export async function startServer(answer: (request: Received) => Answer) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    const given = answer({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(given.status ?? 200, {
      'content-type': given.type ?? 'application/json',
      ...given.headers,
    });
    response.end(given.body ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, url: `http://127.0.0.1:${address.port}` };
}
