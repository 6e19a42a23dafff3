import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { HttpFetch, HttpInit, HttpResponse } from '../../../../../functions/base/http-client.ts';

interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** `hang` never answers. `break off` ends the connection in the middle of the answer, and `reset` before it. */
type Reply = Answer | 'hang' | 'break off' | 'reset';

/** The service's reply to one request. */
export type Step = (request: RecordedRequest) => Reply;

/** Answers with JSON, or with a text as it is. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Step {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return () => ({ status, body: text, headers });
}

/** Answers the exchange with a token, another one each time: `token-1`, `token-2`... */
export function tokens(lifetimeSeconds = 3600): Step {
  let count = 0;
  return (request) => {
    count++;
    return answer(200, { access_token: `token-${count}`, expires_in: lifetimeSeconds })(request);
  };
}

/** Never answers: the client's time limit is reached as soon as the request has arrived. */
export const hang: Step = () => 'hang';

/** Breaks the connection, in the middle of the answer. */
export const breakOff: Step = () => 'break off';

/** One list of steps for each operation, `METHOD /path`. The last step is repeated. */
export type Script = Readonly<Record<string, readonly Step[]>>;

function createPlayer(script: Script) {
  const requests: RecordedRequest[] = [];
  const played = new Map<string, number>();
  return {
    requests,
    /** The number of requests of an operation. */
    count: (operation: string) => played.get(operation) ?? 0,
    reply(request: RecordedRequest): Reply {
      requests.push(request);
      const operation = `${request.method} ${request.path.replace(/\?.*/, '')}`;
      const steps = script[operation] ?? [answer(404, { error: 'not in the script' })];
      const index = played.get(operation) ?? 0;
      played.set(operation, index + 1);
      return steps[Math.min(index, steps.length - 1)]?.(request) ?? 'reset';
    },
  };
}

/**
 * A service in memory that plays a script, and the `fetch` that reaches it.
 *
 * @param expire ends the attempt under way, as its time limit would
 */
export function createScriptedService(script: Script, expire: () => void) {
  const { reply, ...player } = createPlayer(script);

  const fetch: HttpFetch = async (url, { method, headers, body, signal }) => {
    signal.throwIfAborted();
    const { pathname, search } = new URL(url);
    const text = body === undefined ? '' : Buffer.from(body).toString();
    const played = reply({ method, path: pathname + search, headers: lowerCase(headers), body: text });
    if (played === 'reset')
      throw Object.assign(new Error('fetch failed'), { cause: systemError('ECONNRESET') });
    if (played === 'hang') {
      expire();
      await aborted(signal);
    }
    return responseOf(played as Answer | 'break off');
  };
  return { url: 'https://service.example', fetch, ...player };
}

function responseOf(played: Answer | 'break off'): HttpResponse {
  const { status, headers, body } =
    played === 'break off' ? { status: 200, headers: {}, body: '{"url":' } : played;
  const byName = lowerCase(headers);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(body);
    if (played === 'break off') throw systemError('ECONNRESET');
  }
  return {
    status,
    headers: { get: (name) => byName[name.toLowerCase()] ?? null },
    body: { [Symbol.asyncIterator]: chunks, cancel: async () => undefined },
  };
}

function lowerCase(headers: HttpInit['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

const systemError = (code: string) => Object.assign(new Error(code), { code });

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** A server that plays a script. */
export async function startScriptedServer(script: Script, expire: () => void) {
  const { reply, ...player } = createPlayer(script);
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = '', url: path = '', headers } = incoming;
    send(reply({ method, path, headers, body: Buffer.concat(chunks).toString() }), response, expire);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    ...player,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function send(played: Reply, response: ServerResponse, expire: () => void): void {
  if (played === 'hang') expire();
  else if (played === 'reset') response.socket?.resetAndDestroy();
  else if (played === 'break off') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"url":', () => response.destroy());
  } else {
    response.writeHead(played.status, played.headers);
    response.end(played.body);
  }
}

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>;
