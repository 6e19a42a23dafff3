import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the server does with one request. */
export type Step = (request: RecordedRequest, response: ServerResponse, expire: () => void) => void;

/** Answers with JSON, or with a text as it is. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Step {
  return (_, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Answers the exchange with a token, another one each time: `token-1`, `token-2`... */
export function tokens(lifetimeSeconds = 3600): Step {
  let count = 0;
  return (request, response, expire) => {
    count++;
    answer(200, { access_token: `token-${count}`, expires_in: lifetimeSeconds })(request, response, expire);
  };
}

/** Never answers: the client's time limit is reached as soon as the request has arrived. */
export const hang: Step = (_request, _response, expire) => expire();

/** Breaks the connection, in the middle of the answer. */
export const breakOff: Step = (_, response) => {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"url":', () => response.destroy());
};

/**
 * A server that plays a script: one list of steps an operation, `METHOD /path`, of which the last is played again
 * and again.
 */
export async function startScriptedServer(script: Record<string, readonly Step[]>, expire: () => void) {
  const requests: RecordedRequest[] = [];
  const played = new Map<string, number>();
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    const operation = `${method} ${path.replace(/\?.*/, '')}`;
    const steps = script[operation] ?? [answer(404, { error: 'not in the script' })];
    const index = played.get(operation) ?? 0;
    played.set(operation, index + 1);
    steps[Math.min(index, steps.length - 1)]?.(request, response, expire);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** How often an operation was asked for. */
    count: (operation: string) => played.get(operation) ?? 0,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>;
