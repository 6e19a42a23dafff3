import { describe, expect, it } from 'vitest';
import { createAnswerConsole } from '../../../../../cli/commands/console/answer-console.ts';
import type { ConsoleRequest } from '../../../../../cli/commands/console/console-server.ts';
import { CommandFailure } from '../../../../../cli/target/errors.ts';
import type { HealthView } from '../../../../../functions/query/api/views/console-schemas.ts';
import type { QuarantinedEntry } from '../../../../../functions/receive/quarantine/quarantine.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';

const health: HealthView = {
  checkedAt: '2026-01-15T12:00:00.000Z',
  healthy: true,
  checks: [],
  webhook: null,
  queues: null,
  deadLetters: null,
  alarms: null,
  contractDrift: null,
};

const id = '2026-01-15T11:00:00.000Z#req-1#body';
const [sample] = shippedContract.samples;

function entry(raw: string): QuarantinedEntry {
  const receivedAt = '2026-01-15T11:00:00.000Z';
  return { id, reason: 'storage-refused', receivedAt, requestId: 'req-1', raw: Buffer.from(raw) };
}

function consoleWith({
  stored = entry(JSON.stringify(sample?.body ?? {})),
  respond = async () => Response.json({ entries: [] }, { headers: { etag: '"a"', 'x-other': 'b' } }),
  readContract = async () => shippedContract,
  source = 'main',
}: {
  stored?: QuarantinedEntry;
  respond?: () => Promise<Response>;
  readContract?: () => Promise<typeof shippedContract>;
  source?: string;
} = {}) {
  const done: unknown[] = [];
  const answer = createAnswerConsole({
    connection: {
      quarantine: async () => ({
        list: () => Promise.reject(new Error('not listed')),
        entry: async (asked) => (asked === id ? stored : undefined),
      }),
      requeue: async () => ({
        send: async ({ requestId }) => void done.push(['sent', requestId]),
        remove: async (removed) => void done.push(['removed', removed]),
      }),
    },
    query: async (url, { method, headers, body } = {}) => {
      done.push([method, String(url), Object.fromEntries(new Headers(headers)), body]);
      return respond();
    },
    origin: 'https://api.example',
    health: async () => health,
    readContract,
    source,
  });
  const ask = async (parts: Partial<ConsoleRequest>) => {
    const request = {
      method: 'GET',
      path: '/',
      search: '',
      ifNoneMatch: undefined,
      body: undefined,
      ...parts,
    };
    const { status, headers, body } = await answer(request);
    return { status, headers, json: body === undefined ? undefined : JSON.parse(body) };
  };
  return { ask, done };
}

const replayOf = (entryId: string) => ({
  method: 'POST',
  path: `/v1/quarantine/${encodeURIComponent(entryId)}/replay`,
});

describe('the console', () => {
  it('passes queries on to the query API, and its answers with the headers that matter', async () => {
    const { ask, done } = consoleWith();
    const { status, headers } = await ask({ path: '/v1/replies', search: '?limit=5', ifNoneMatch: '"a"' });
    expect([status, headers]).toEqual([200, { 'content-type': 'application/json', etag: '"a"' }]);
    expect(done).toEqual([
      ['GET', 'https://api.example/v1/replies?limit=5', { 'if-none-match': '"a"' }, undefined],
    ]);
    await ask({ method: 'POST', path: '/v1/search', body: '{"q":"a"}' });
    expect(done[1]).toEqual([
      'POST',
      'https://api.example/v1/search',
      { 'content-type': 'application/json' },
      '{"q":"a"}',
    ]);
  });

  it('explains a query API that cannot be reached', async () => {
    const { ask } = consoleWith({ respond: () => Promise.reject(new TypeError('fetch failed')) });
    const { status, json } = await ask({ path: '/v1/replies' });
    expect([status, json.detail]).toEqual([502, expect.stringContaining('TypeError')]);
  });

  it('answers the health with a tag', async () => {
    const { ask } = consoleWith();
    const first = await ask({ path: '/v1/health' });
    expect(first.json).toEqual(health);
    const again = await ask({ path: '/v1/health', ifNoneMatch: String(first.headers.etag) });
    expect([again.status, again.json]).toEqual([304, undefined]);
    expect((await ask({ path: '/v1/health', method: 'POST' })).headers.allow).toBe('GET, HEAD');
  });

  it('replays an entry of the quarantine, and then removes it', async () => {
    const { ask, done } = consoleWith();
    expect((await ask(replayOf(id))).json).toEqual({ outcome: 'sent', why: null });
    expect(done).toEqual([
      ['sent', 'req-1~body'],
      ['removed', id],
    ]);
  });

  it('moves no request of main into the queue of the source that the console is of', async () => {
    const { ask, done } = consoleWith({ source: 'backup' });
    expect((await ask(replayOf(id))).json).toMatchObject({ outcome: 'other-source' });
    expect(done).toEqual([]);
  });

  it('says why an entry stays', async () => {
    const { ask, done } = consoleWith({ stored: entry('{}') });
    const { json } = await ask(replayOf(id));
    expect(json).toEqual({ outcome: 'unreadable', why: 'the contract still cannot read it' });
    expect(done).toEqual([]);
  });

  it('refuses a replay by another contract, of an unknown entry, and with an unknown wish', async () => {
    const other = consoleWith({
      readContract: () => Promise.reject(new CommandFailure('Another contract.')),
    });
    const refused = await other.ask(replayOf(id));
    expect([refused.status, refused.json.detail, other.done]).toEqual([403, 'Another contract.', []]);
    const { ask } = consoleWith();
    expect((await ask(replayOf('other'))).status).toBe(404);
    expect((await ask({ ...replayOf(id), body: '{"force":true}' })).status).toBe(400);
    expect((await ask({ ...replayOf(id), method: 'GET' })).headers.allow).toBe('POST');
    expect((await ask({ method: 'POST', path: '/v1/quarantine/%zz/replay' })).status).toBe(400);
  });
});
