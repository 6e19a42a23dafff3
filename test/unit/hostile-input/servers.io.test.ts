import assert from 'node:assert/strict';
import fc from 'fast-check';
import { json, startConsoleServer } from '../../../cli/commands/console/console-server.ts';
import { closeServer, portOf } from '../../../local/aws-protocol/http.ts';
import { HttpApi } from '../../../local/services/api-gateway/api.ts';
import { inMemoryFunction } from '../../support/local-lambda.ts';
import { sendBytes } from '../../support/odd-requests.ts';
import { temporaryDirectory } from '../cli/support/temporary-directory.ts';
import { attempts, fuzz } from './fuzz.ts';
import { hostileHeaders, hostileSegments, mostly } from './hostile-requests.ts';
import { hostileTexts } from './hostile-values.ts';
import { assertShowsNoInsides } from './watch.ts';

const page = temporaryDirectory();

/** A request as a client without a library writes it. */
interface WireAttempt {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the browser has the session of the console. */
  readonly isAdmitted: boolean;
}

const wireAttempts: fc.Arbitrary<WireAttempt> = fc.record({
  method: mostly(fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS'), hostileTexts),
  target: fc
    .tuple(
      fc.constantFrom('/', '/v1/', '/session', '/?token=', '//', '/assets/', ''),
      fc.array(hostileSegments, { maxLength: 3 }),
    )
    .map(([begin, parts]) => begin + parts.join('/')),
  headers: fc
    .tuple(
      hostileHeaders,
      fc.constantFrom<Record<string, string>>(
        {},
        { 'content-length': '2' },
        { 'content-length': '-1' },
        { 'transfer-encoding': 'chunked' },
        { 'sec-fetch-site': 'cross-site' },
        { 'if-none-match': '*' },
        { 'accept-encoding': 'gzip' },
        { 'local-clock': '2026-01-15T12:00:00Z' },
        { 'local-clock': '+275760-09-13T00:00:00Z' },
        { expect: '100-continue' },
      ),
    )
    .map(([some, more]) => ({ ...some, ...more })),
  body: fc.oneof(fc.constant(''), fc.constant('{}'), hostileTexts),
  isAdmitted: fc.boolean(),
});

function wire({ method, target, headers, body }: WireAttempt, own: string): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${target} HTTP/1.1\r\nConnection: close\r\n${own}${lines.join('')}\r\n${body}`,
  );
}

async function statusOf(port: number, attempt: WireAttempt, own: string): Promise<string> {
  // The sender ends its side, so that no server waits for the rest of a request.
  const answer = await sendBytes(port, wire(attempt, own), true);
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
  assert(status < 500 || status === 501 || status === 505, `answered ${answer.slice(0, 300)}`);
  if (status >= 400) assertShowsNoInsides('the answer', answer);
  return String(status);
}

fuzz<WireAttempt>(
  'console-server',
  {
    inputs: wireAttempts,
    async attempt(attempt) {
      const server = await startConsoleServer({
        page,
        port: 0,
        isReusable: true,
        session: async () => ({
          pipeline: 'local',
          sources: ['main'],
          contracts: [],
          role: 'operator',
          place: 'local',
          masked: false,
          canReveal: false,
          canReplay: true,
        }),
        answer: async ({ path }) => json({ path }),
      });
      try {
        const { port, origin, host } = new URL(server.url);
        const { headers } = await fetch(server.url, { redirect: 'manual' });
        const cookie = headers.get('set-cookie')?.split(';')[0];
        const own = `Host: ${host}\r\n${attempt.isAdmitted ? `Cookie: ${cookie}\r\nOrigin: ${origin}\r\n` : ''}`;
        return await statusOf(Number(port), attempt, own);
      } finally {
        await server.close();
      }
    },
  },
  ['400', '404'],
  Math.ceil(attempts / 3),
);

fuzz<WireAttempt>(
  'local-http-api',
  {
    inputs: wireAttempts,
    async attempt(attempt) {
      const api = new HttpApi('local', Date.now);
      const echo = inMemoryFunction((event: object) => ({ statusCode: 200, body: JSON.stringify(event) }));
      for (const key of ['ANY /v1/{proxy+}', '$default']) api.addRoute(key, echo);
      const server = await api.listen(0);
      try {
        return await statusOf(portOf(server), attempt, `Host: 127.0.0.1:${portOf(server)}\r\n`);
      } finally {
        await closeServer(server);
        await echo.pool.stop();
      }
    },
  },
  ['200', '400'],
  Math.ceil(attempts / 3),
);
