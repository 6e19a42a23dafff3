import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { vi } from 'vitest';
import { createAnswerConsole } from '../../../cli/commands/console/answer-console.ts';
import { QueryError } from '../../../client/index.ts';
import type { QuarantinedEntry } from '../../../functions/receive/quarantine/quarantine.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { memoryQuarantine } from '../../support/fakes/quarantine.ts';
import { sampleFetch } from '../cli/commands/mcp/sample-pipeline.ts';
import { fuzz } from './fuzz.ts';
import { hostileSegments, mostly } from './hostile-requests.ts';
import { hostileTexts, magicNames } from './hostile-values.ts';
import { type QueryAttempt, queryAttempts } from './query-requests.ts';
import { assertIsAnswer, assertShowsNoInsides } from './watch.ts';

const receivedAt = '2026-01-15T11:00:00.000Z';
const entry: QuarantinedEntry = {
  id: `${receivedAt}#req-1#0`,
  reason: 'bad-time',
  receivedAt,
  requestId: 'req-1',
  index: 0,
  raw: Buffer.from(JSON.stringify(shippedContract.samples[0]?.body)),
};

const health = {
  checkedAt: receivedAt,
  healthy: true,
  checks: [],
  webhook: null,
  queues: null,
  deadLetters: null,
  alarms: null,
  contractDrift: null,
};

/** What the server hands on: a path and a query as `URL` writes them. */
fuzz<QueryAttempt>(
  'console',
  {
    inputs: queryAttempts,
    async attempt({ method, path, query, headers, body }) {
      const address = URL.parse(`${path.replace(/^(?!\/)/, '/')}${query && '?'}${query}`, 'http://127.0.0.1');
      if (address === null || address.host !== '127.0.0.1') return 'no address';
      const quarantine = memoryQuarantine([entry]);
      const answer = createAnswerConsole({
        connection: {
          quarantine: async () => quarantine,
          requeue: async () => ({ send: async () => {}, remove: quarantine.remove }),
        },
        query: sampleFetch(),
        origin: 'https://api.example',
        health: async () => health,
        readContract: async () => shippedContract,
        source: 'main',
      });
      // `fetch` refuses these methods and bodies itself, and the server never hands on others.
      const isSent = /^(?:GET|HEAD|POST|PUT)$/.test(method);
      const { status, body: text = '' } = await answer({
        method: isSent ? method : 'POST',
        path: address.pathname,
        search: address.search,
        ifNoneMatch: headers['if-none-match']?.replace(/[^\x20-\x7e]/g, ''),
        body:
          body === null || !/^(?:POST|PUT)$/.test(method)
            ? undefined
            : Buffer.from(body, 'base64').toString(),
      });
      assert(status < 500, `answered ${status} ${text}`);
      if (status >= 400) assertShowsNoInsides('the answer', text);
      return String(status);
    },
  },
  ['200', '400', '404', '405'],
);

const { createAnswers } = await import(
  join(import.meta.dirname, '../../../examples/status-page/status-page.mjs')
);

/** A request of a user of the status page, and what the history says of the message. */
interface StatusAttempt {
  readonly path: string;
  readonly id: string | null;
  readonly cookie: string;
  readonly status: string;
  readonly sentAt: string;
  readonly final: boolean;
  readonly failure: number | null;
}

fuzz<StatusAttempt>(
  'status-page',
  {
    inputs: fc.record({
      path: mostly(fc.constantFrom('/messages', '/message'), hostileSegments),
      id: mostly(fc.constantFrom<string | null>('m-1', 'm-2', null), fc.oneof(hostileTexts, hostileSegments)),
      cookie: fc.oneof(
        fc.constantFrom('ann', 'ann', 'bob', ''),
        hostileTexts,
        fc.constantFrom(...magicNames),
      ),
      status: fc.oneof(fc.constantFrom('delivered', 'failed', 'sent', ...magicNames), hostileTexts),
      sentAt: fc.constantFrom('2026-01-15T11:00:00Z', '', 'never', '2999-01-01T00:00:00Z'),
      final: fc.boolean(),
      failure: fc.option(fc.constantFrom(400, 404, 429, 500), { freq: 4 }),
    }),
    async attempt({ path, id, cookie, status, sentAt, final, failure }) {
      const logged: string[] = [];
      const log = vi
        .spyOn(console, 'error')
        .mockImplementation((...parts) => void logged.push(parts.join(' ')));
      const own = new Map([['ann', [{ messageId: 'm-1', sentAt, status: undefined }]]]);
      const answerTo = createAnswers({
        history: {
          getMessage: async () => {
            if (failure === null) return { status, final, events: [] };
            throw new QueryError({ type: 'about:blank', status: failure, title: 'a', detail: 'b' });
          },
        },
        userOf: ({ headers }: { headers: { cookie: string } }) => headers.cookie,
        sent: {
          newest: (user: string) => own.get(user) ?? [],
          find: (user: string, messageId: string) =>
            own.get(user)?.find((one) => one.messageId === messageId),
          remember: async () => {},
        },
      });
      const [code, body] = await answerTo({ path, id, headers: { cookie } });
      log.mockRestore();
      assert([200, 401, 404].includes(code), `answered ${code}: ${logged}`);
      assertIsAnswer('the answer', JSON.stringify(body));
      assertIsAnswer('the log', logged.join('\n'));
      if (cookie !== 'ann' && code === 200) assert.deepEqual(body, [], 'the message of another user');
      if (code === 200)
        for (const one of [body].flat())
          assert(
            ['delivered', 'not known', 'not delivered', 'on its way'].includes(one.status),
            `a user sees "${one.status}"`,
          );
      return String(code);
    },
  },
  ['200', '401', '404'],
);
