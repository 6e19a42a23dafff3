import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pageFilePaths } from '../../../functions/query/index.ts';
import { type Problem, problem } from '../../../functions/query/shapes.ts';
import type { DeployedContract } from '../../input/contract-file.ts';
import { createAdmission, isLink, isOwnRequest } from './admission.ts';
import { readPageFile } from './page-files.ts';
import type { SampleFill } from './sample-fill.ts';

/** A request below /v1 whose sender was admitted. */
export interface ConsoleRequest {
  readonly method: string;
  /** The path, still percent-encoded. */
  readonly path: string;
  /** With its question mark; empty without parameters. */
  readonly search: string;
  readonly ifNoneMatch: string | undefined;
  readonly body: string | undefined;
}

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the page may do, and for which pipeline. */
export interface ConsoleSession {
  readonly pipeline: string;
  /** The names of its sources. */
  readonly sources: readonly string[];
  /** By which the reports of each source are read. */
  readonly contracts: readonly DeployedContract[];
  readonly role: 'operator';
  readonly place: 'local' | 'loopback';
  /** Whether numbers come masked, so that they could be revealed. */
  readonly masked: false;
  readonly canReveal: boolean;
  readonly canReplay: boolean;
  /** How far a local run has filled its tables with a sample; undefined while it does not. */
  readonly fill?: SampleFill | undefined;
}

export interface ConsoleServerOptions {
  /** The folder with the built page. */
  readonly page: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Whether the printed address opens more than once. */
  readonly isReusable: boolean;
  readonly session: () => Promise<ConsoleSession>;
  readonly answer: (request: ConsoleRequest) => Promise<ConsoleAnswer>;
}

export interface ConsoleServer {
  /** The address that opens the console, with its token. */
  readonly url: string;
  close(): Promise<void>;
}

/** A search is far smaller. */
const maxBodyBytes = 16 * 1024;

/** Serves the console's page and its queries on the loopback interface, to the browser that opens the printed address. */
export async function startConsoleServer(options: ConsoleServerOptions): Promise<ConsoleServer> {
  const secret = () => randomBytes(32).toString('base64url');
  const token = secret();
  const server = createServer((request, response) => {
    serve(request, response)
      .catch(() => send(response, problemAnswer(500)))
      // What began to be answered has no other answer.
      .catch(() => void response.destroy());
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const admission = createAdmission({ token, session: secret(), port, isReusable: options.isReusable });
  /** The newest page that a browser without a session asked for. It opens when the printed address does. */
  let askedPath = '/';

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url = '/' } = request;
    const { host, origin } = headers;
    const mark = (name: string) => headers[name]?.toString();
    const isOwn = isOwnRequest({ method, host, origin, site: mark('sec-fetch-site') }, port);
    const address = URL.parse(url, 'http://127.0.0.1');
    if (address === null) return send(response, problemAnswer(400));
    const { pathname, search, searchParams } = address;
    const given = searchParams.get('token');
    const isOpening = pathname === '/' && given !== null;
    const isPage = !isOpening && pathname !== '/session' && !pathname.startsWith('/v1/');
    const marks = { mode: mark('sec-fetch-mode'), destination: mark('sec-fetch-dest') };
    if (!isOwn && !(isPage && isLink({ method, host, ...marks }, port)))
      return send(response, problemAnswer(403));
    if (isOpening) return open(response, given, headers.cookie);
    const isAdmitted = admission.isAdmitted(headers.cookie);
    if (isPage) {
      if (!isAdmitted && !pageFilePaths.test(pathname) && !pathname.startsWith('//'))
        askedPath = pathname + search;
      return servePage(response, method, pathname);
    }
    if (!isAdmitted) return send(response, problemAnswer(401));
    if (pathname === '/session') return send(response, json(await options.session()));
    const body = await textOf(request);
    if (body === undefined) return send(response, problemAnswer(413));
    const ifNoneMatch = headers['if-none-match'];
    const answer = await options.answer({
      method,
      path: pathname,
      search,
      ifNoneMatch,
      body: body === '' ? undefined : body,
    });
    await send(response, answer, method === 'HEAD');
  }

  async function open(response: ServerResponse, given: string, cookies: string | undefined): Promise<void> {
    const cookie = admission.exchange(given);
    const isAdmitted = cookie !== undefined || admission.isAdmitted(cookies);
    // The page explains a wrong token.
    if (!isAdmitted) return servePage(response, 'GET', '/', 401);
    const headers = { location: askedPath, 'cache-control': 'no-store' };
    askedPath = '/';
    await send(response, { status: 303, headers: { ...headers, ...(cookie && { 'set-cookie': cookie }) } });
  }

  async function servePage(
    response: ServerResponse,
    method: string,
    path: string,
    status = 200,
  ): Promise<void> {
    if (method !== 'GET' && method !== 'HEAD') return send(response, problemAnswer(405));
    const file = await readPageFile(options.page, path);
    if (file === undefined) return send(response, problemAnswer(404));
    await send(response, { status, headers: file.headers, body: file.content }, method === 'HEAD');
  }

  return {
    url: `http://127.0.0.1:${port}/?token=${token}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const refusals: Readonly<Record<number, { readonly title: string; readonly detail: string }>> = {
  400: { title: 'The address cannot be read', detail: 'Open the address that sms console prints.' },
  401: { title: 'Not signed in', detail: 'Run sms console again, and open the address that it prints.' },
  403: {
    title: 'Not the page of the console',
    detail: 'This server answers its own page only, on 127.0.0.1.',
  },
  404: { title: 'There is nothing at this path', detail: 'The page has no such file.' },
  405: { title: 'This method is not answered here', detail: 'Use GET, HEAD.' },
  413: { title: 'The request is too large', detail: `Send at most ${maxBodyBytes} bytes.` },
};

/** Answers a request that the server refuses itself. */
function problemAnswer(status: number): ConsoleAnswer {
  const refusal = refusals[status];
  if (refusal === undefined)
    return problemOf(problem('internal', 'Ask again. If it stays so, restart sms console.'));
  return problemOf({ type: 'about:blank', status, ...refusal });
}

/** Makes the answer of a problem (RFC 9457). */
export function problemOf(
  body: Pick<Problem, 'status' | 'title' | 'detail'> & { readonly type: string },
): ConsoleAnswer {
  const headers = { 'content-type': 'application/problem+json', 'cache-control': 'no-store' };
  return { status: body.status, headers, body: JSON.stringify(body) };
}

/** Makes an answer that no cache keeps. */
export function json(body: object): ConsoleAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}

const compress = promisify(gzip);

/** Below this, compression saves no packet. */
const minCompressedBytes = 1400;

/** Answers, compressed where the browser takes that: the page may be opened through a slow tunnel. */
async function send(
  response: ServerResponse,
  { status, headers, body = '' }: Omit<ConsoleAnswer, 'body'> & { readonly body?: string | Uint8Array },
  isHead = false,
): Promise<void> {
  const accepts = String(response.req.headers['accept-encoding']).includes('gzip');
  const isCompressed = accepts && Buffer.byteLength(body) >= minCompressedBytes;
  const content = isCompressed ? await compress(body) : Buffer.from(body);
  response.writeHead(status, {
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    ...headers,
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...(status !== 304 && { 'content-length': content.length }),
  });
  response.end(isHead ? undefined : content);
}

/** Reads a body; undefined if it is too large. */
async function textOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
