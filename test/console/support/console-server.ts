import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { decisionOf } from '../../../client/deciding-report.ts';
import type { Message } from '../../../client/types.ts';
import type { Role, Session } from '../../../console/api/console-types.ts';
import { toE164 } from '../../../contract/phone/phone-number.ts';
import { countryOf } from '../../../functions/insights/counters/country.ts';
import { masked } from '../../../functions/query/api/mask.ts';
import { consolePageHeaders } from '../../../functions/query/api/page-headers.ts';
import { insightsOf, sendOf } from './figures.ts';
import { type Fixtures, makeFixtures } from './fixtures.ts';

const folder = join(import.meta.dirname, '../../../build/console');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface ServedRequest {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
}

export interface ConsoleServer {
  readonly url: string;
  /** What it answers from. Tests change it; `reset` restores it. */
  fixtures: Fixtures;
  /** Whether it ends each connection without an answer. */
  isDown: boolean;
  /** Answers by the beginning of the path, in place of the fixtures. */
  readonly overrides: Map<string, Answer>;
  readonly requests: ServedRequest[];
  /** The bytes of the scripts it has served, as compressed by gzip, by path. */
  readonly scriptBytes: Map<string, number>;
  reset(): void;
  close(): Promise<void>;
}

/** Starts a server that serves the built page, and answers the query API and the console's own paths from fixtures. */
export async function startConsoleServer(): Promise<ConsoleServer> {
  const state = {
    fixtures: makeFixtures(),
    isDown: false,
    overrides: new Map<string, Answer>(),
    requests: [] as ServedRequest[],
    scriptBytes: new Map<string, number>(),
  };
  const server = createServer((request, response) => {
    if (state.isDown) return void request.socket.destroy();
    void serve(request, response, state).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    reset() {
      state.fixtures = makeFixtures();
      state.isDown = false;
      state.overrides.clear();
      state.requests.length = 0;
      state.scriptBytes.clear();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type State = Pick<ConsoleServer, 'fixtures' | 'overrides' | 'requests' | 'scriptBytes'>;

async function serve(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const path = new URL(url, 'http://localhost').pathname;
  for (const [name, value] of Object.entries(consolePageHeaders)) response.setHeader(name, value);
  if (path === '/session' || path.startsWith('/v1/')) {
    const body = await text(request);
    const answer = answerOf(request, body, state);
    const status = sendJson(request, response, answer);
    state.requests.push({ method, url, status, body });
    return;
  }
  await sendFile(path, response, state);
}

const files = new Map<string, Promise<Buffer>>();

/** Reads a file of the page, once for all servers of a process. */
function compressed(name: string): Promise<Buffer> {
  const known = files.get(name) ?? readFile(join(folder, name)).then((content) => gzipSync(content));
  files.set(name, known);
  return known;
}

async function sendFile(path: string, response: ServerResponse, state: State): Promise<void> {
  const isFile = types[extname(path)] !== undefined && !path.includes('..');
  const name = isFile ? path : '/index.html';
  const content = await compressed(name);
  if (extname(name) === '.js') state.scriptBytes.set(name, content.length);
  response
    .writeHead(200, {
      'content-type': types[extname(name)] ?? '',
      'content-encoding': 'gzip',
      'cache-control': name.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
    })
    .end(content);
}

function sendJson(request: IncomingMessage, response: ServerResponse, { status, body }: Answer): number {
  const content = JSON.stringify(body);
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  if (status === 200 && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return 304;
  }
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  // Every browser accepts gzip, and the query API compresses then.
  response
    .writeHead(status, { 'content-type': type, 'content-encoding': 'gzip', ...(status === 200 && { etag }) })
    .end(gzipSync(content));
  return status;
}

const roles: readonly Role[] = ['viewer', 'support', 'operator'];

function answerOf(request: IncomingMessage, body: string, { fixtures, overrides }: State): Answer {
  const url = new URL(request.url ?? '/', 'http://localhost');
  if (fixtures.pageSize) url.searchParams.set('limit', String(fixtures.pageSize));
  const role = roles.find((known) => request.headers.cookie?.includes(`role=${known}`));
  if (role === undefined) return problem(401, 'unauthorized', 'There is no session.');
  const override = [...overrides].find(([path]) => url.pathname.startsWith(path))?.[1];
  if (override) return override;
  if (url.pathname === '/session') return { status: 200, body: sessionOf(role, fixtures.sources) };
  const answer = route(request.method ?? 'GET', url, body, fixtures, role);
  // An operator here is one of the loopback interface.
  const isWhole = role !== 'viewer' && (role === 'operator' || request.headers['x-reveal'] === 'yes');
  return isWhole ? answer : { ...answer, body: masked(answer.body) };
}

function sessionOf(role: Role, sources: readonly string[]): Session {
  return {
    pipeline: 'SmsPipeline',
    sources,
    contracts: sources.map((source) => ({
      source,
      hash: 'c0ffee12beef',
      service: 'Acme SMS',
      delivered: ['DELIVRD', 'handset <ok>'],
    })),
    role,
    place: 'deployed',
    masked: role !== 'operator',
    canReveal: role === 'support',
    canReplay: role === 'operator',
  };
}

export function problem(status: number, type: string, detail: string): Answer {
  return { status, body: { type: `urn:sms-event-pipeline:problem:${type}`, title: type, status, detail } };
}

function route(method: string, url: URL, body: string, fixtures: Fixtures, role: Role): Answer {
  // The page encodes an id with "%" or "?" twice, because API Gateway decodes a path before the query API sees it.
  const [, , kind, id = '', rest] = url.pathname
    .split('/')
    .map((part) => decodeURIComponent(decodeURIComponent(part)));
  const query = url.searchParams;
  if (method === 'POST' && kind === 'search') {
    const { q } = JSON.parse(body) as { q: string };
    return { status: 200, body: { number: toE164(q, 'US') ?? null, results: fixtures.search(q) } };
  }
  if (method === 'POST' && kind === 'quarantine' && rest === 'replay') {
    if (role !== 'operator') return problem(403, 'forbidden', 'Only an operator may replay.');
    fixtures.quarantine = fixtures.quarantine.filter((one) => one.id !== id);
    return { status: 200, body: { outcome: 'sent', why: null } };
  }
  if (kind === 'messages' && id !== '') return found(fixtures.messages.find((one) => one.messageId === id));
  if (kind === 'messages') {
    const found = fixtures.messages.filter(
      (one) =>
        stateOf(one) === query.get('state') &&
        [null, one.status].includes(query.get('status')) &&
        [null, one.source ?? 'main'].includes(query.get('source')) &&
        one.messageId.startsWith(query.get('idPrefix') ?? '') &&
        isWithin(query.get('state') === 'pending' ? one.firstSeenAt : one.statusAt, query) &&
        [null, countryOf(one.phone ?? undefined)].includes(query.get('country')) &&
        isFailureOf(one, query),
    );
    const isOldestFirst = query.get('order') === 'oldest';
    const byTime = found.toSorted((a, b) => a.firstSeenAt.localeCompare(b.firstSeenAt));
    return page(isOldestFirst ? byTime : found, query);
  }
  if (kind === 'sends' && rest === 'messages')
    return page(
      fixtures.messages.filter(
        (one) =>
          one.sendId === id &&
          (query.get('status')?.split(',').includes(one.status) ?? true) &&
          isFailureOf(one, query),
      ),
      query,
    );
  if (kind === 'sends' && id === '') return page(fixtures.sends, query);
  if (kind === 'sends') {
    const send = fixtures.sends.find(({ sendId }) => sendId === id);
    return found(send && sendOf(send));
  }
  if (kind === 'insights') return { status: 200, body: insightsOf(query, fixtures.traffic, Date.now()) };
  if (kind === 'replies')
    return page(
      fixtures.replies.filter(({ text }) =>
        text.toLowerCase().includes(query.get('text')?.toLowerCase() ?? ''),
      ),
      query,
    );
  if (kind === 'opt-outs')
    return page(
      fixtures.optOuts.filter(({ by, since }) => (query.get('by') ?? by) === by && isWithin(since, query)),
      query,
    );
  if (kind === 'quarantine' && id !== '') return found(fixtures.quarantine.find((one) => one.id === id));
  if (kind === 'quarantine')
    return page(
      fixtures.quarantine
        .filter(({ reason }) => [null, reason].includes(query.get('reason')))
        .map(({ raw, encoding, headers, method, contract, ...summary }) => summary),
      query,
    );
  if (kind === 'conversations') {
    const conversation = fixtures.conversation(id);
    if (conversation === undefined) return found(undefined);
    const { body: entries } = page(conversation.entries, query);
    return { status: 200, body: { ...conversation, ...(entries as object) } };
  }
  if (kind === 'health') return { status: 200, body: fixtures.health };
  return problem(404, 'no-such-path', 'There is no such path.');
}

/** Whether a message failed for the wanted reason and with the wanted code, if any are. */
function isFailureOf(message: Message, query: URLSearchParams): boolean {
  const { errorReason = 'unknown', errorCode = '' } = decisionOf(message)?.report ?? {};
  return [null, errorReason].includes(query.get('reason')) && [null, errorCode].includes(query.get('code'));
}

function stateOf({ final, status }: Message): string {
  if (!final) return 'pending';
  return status === 'unknown' || status === 'delivered' ? status : 'failed';
}

function found(body: unknown): Answer {
  return body === undefined
    ? problem(404, 'unknown', 'There is no item with this id.')
    : { status: 200, body };
}

/** Returns whether a list that is asked for a time has an entry of this time. */
function isWithin(at: string, query: URLSearchParams): boolean {
  const { since = at, until } = Object.fromEntries(query);
  return at >= since && (until === undefined || at < until);
}

function page(entries: readonly unknown[], query: URLSearchParams): Answer {
  const from = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? 50);
  const to = from + limit;
  return {
    status: 200,
    body: { entries: entries.slice(from, to), next: to < entries.length ? String(to) : null },
  };
}
