import { describe, expect, it } from 'vitest';
import { createQueryClient, QueryError } from '../../../../cli/stores/query-client.ts';
import { createAnswerQuery } from '../../../../functions/query/answer-query.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { type Call, fakeSources, now } from '../../functions/query/fakes.ts';
import { throughHttpApi } from '../../functions/query/http-api.ts';

const settings = {
  baseUrl: 'https://abc123.execute-api.us-east-1.amazonaws.com/v1',
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
  clock: () => now,
};

/** A client of the function itself, through an API as API Gateway makes it of requests. */
function connected(failure?: Error) {
  const { calls, sources } = fakeSources(failure);
  const answer = createAnswerQuery({ ...sources, clock: () => now, ...recorder() });
  return { calls, client: createQueryClient({ ...settings, fetch: throughHttpApi(answer) }) };
}

/** A client that gets the same answer each time, and the requests it made. */
function answered(...answers: readonly Response[]) {
  const requests: { url: string; headers: Headers }[] = [];
  const rest = answers.values();
  const fetch: typeof globalThis.fetch = async (url, { headers } = {}) => {
    requests.push({ url: String(url), headers: new Headers(headers) });
    return rest.next().value ?? Response.error();
  };
  return { requests, client: createQueryClient({ ...settings, fetch }) };
}

const page = { limit: 50 };
const lastDay = { since: '2026-01-14T12:00:00.000Z', until: '2026-01-16T12:00:00.000Z' };

describe('the client', () => {
  it.each<[string, (client: ReturnType<typeof connected>['client']) => Promise<unknown>, Call]>([
    ['message', (client) => client.message('msg-1'), ['message', 'msg-1']],
    ['failed', (client) => client.failed(), ['failed', lastDay, page]],
    [
      'pending',
      (client) =>
        client.pending({ status: ['sent', 'queued'], limit: 7, until: '2026-01-15T02:00:00+02:00' }),
      ['pending', { until: '2026-01-15T00:00:00.000Z', statuses: ['sent', 'queued'] }, { limit: 7 }],
    ],
    [
      'timeline',
      (client) => client.timeline('+12025550143', { cursor: 'c+/=' }),
      ['phone', { phone: '+12025550143' }, { ...page, cursor: 'c+/=' }],
    ],
    ['send', (client) => client.send('50% of a/b?'), ['send', { sendId: '50% of a/b?' }, page]],
    ['replies', (client) => client.replies(), ['replies', lastDay, page]],
    ['optOuts', (client) => client.optOuts(), ['optOuts', {}, page]],
    [
      'quarantine',
      (client) => client.quarantine({ reason: 'bad-time' }),
      ['quarantine', { ...lastDay, reason: 'bad-time' }, page],
    ],
    [
      'quarantineEntry',
      (client) => client.quarantineEntry('2026-01-15T11:00:00.000Z#req-1#0'),
      ['entry', '2026-01-15T11:00:00.000Z#req-1#0'],
    ],
  ])('asks for %s as the function understands it', async (_, ask, call) => {
    const { calls, client } = connected();
    await ask(client);
    expect(calls).toEqual([call]);
  });

  it('reads all pages of a list with the same query', async () => {
    const entry = (replyId: string) => ({
      replyId,
      from: '+12025550143',
      text: 'Yes',
      occurredAt: '2026-01-15T11:30:00.000Z',
      receivedAt: '2026-01-15T11:30:01.000Z',
    });
    const { requests, client } = answered(
      Response.json({ entries: [entry('r1'), entry('r2')], next: 'c1' }),
      Response.json({ entries: [], next: 'c2' }),
      Response.json({ entries: [entry('r3')], next: null }),
    );
    const found: string[] = [];
    for await (const { replyId } of client.replies.all({ since: '2026-01-15T00:00:00Z', limit: 2 }))
      found.push(replyId);
    expect(found).toEqual(['r1', 'r2', 'r3']);
    const queries = requests.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
    const question = { since: '2026-01-15T00:00:00Z', limit: '2' };
    expect(queries).toEqual([question, { ...question, cursor: 'c1' }, { ...question, cursor: 'c2' }]);
  });

  it('accepts an unknown reason, and rejects any other format', async () => {
    const entry = {
      ...{ id: 'i', reason: 'of-later', field: null, requestId: 'r', index: null },
      receivedAt: '2026-01-15T11:30:01.000Z',
    };
    const { client } = answered(
      Response.json({ entries: [entry], next: null }),
      Response.json({ hello: 'world' }),
      new Response('<html>'),
    );
    expect((await client.quarantine()).entries).toEqual([entry]);
    for (let answer = 0; answer < 2; answer++)
      await expect(client.quarantine()).rejects.toMatchObject({
        name: 'QueryError',
        problem: { status: 200 },
      });
  });

  it('throws a QueryError with the problem of a query', async () => {
    const { client } = connected();
    const wrong = client.replies({ limit: 0 });
    await expect(wrong).rejects.toThrow(QueryError);
    await expect(wrong).rejects.toThrow(/limit: expected a whole number from 1 to 100/);
    await expect(client.message('unknown')).rejects.toMatchObject({
      problem: { type: 'urn:sms-event-pipeline:problem:unknown-message', status: 404 },
    });
  });

  it('throws a QueryError for a response of API Gateway itself', async () => {
    const { client } = answered(
      Response.json({ message: 'Forbidden' }, { status: 403 }),
      new Response('<html>', { status: 502 }),
    );
    await expect(client.message('m')).rejects.toMatchObject({
      message: 'HTTP 403: {"message":"Forbidden"}',
      problem: { type: 'about:blank', status: 403 },
    });
    await expect(client.message('m')).rejects.toMatchObject({ problem: { status: 502, detail: '<html>' } });
  });
});
