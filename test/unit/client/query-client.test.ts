import { describe, expect, it } from 'vitest';
import { allCsv, allEntries, createClient, type QueryClient, QueryError } from '../../../client/index.ts';
import { createAnswerQuery } from '../../../functions/query/api/answer-query.ts';
import { type Call, dependencies } from '../functions/query/api/fakes.ts';
import { throughHttpApi } from '../functions/query/api/http-api.ts';

const settings = {
  baseUrl: 'https://abc123.execute-api.us-east-1.amazonaws.com/v1',
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' },
};

/** A client of the function itself, through an API as API Gateway makes it of requests. */
function connected() {
  const { calls, all } = dependencies();
  const answer = createAnswerQuery(all);
  return { calls, client: createClient({ ...settings, fetch: throughHttpApi(answer) }) };
}

/** A client that gets one answer after the other, and the queries it asked. */
function answered(...answers: readonly Response[]) {
  const queries: Record<string, string>[] = [];
  const rest = answers.values();
  const fetch: typeof globalThis.fetch = async (url) => {
    queries.push(Object.fromEntries(new URL(String(url)).searchParams));
    const { value } = rest.next();
    if (value === undefined) throw new TypeError('fetch failed');
    return value;
  };
  return { queries, client: createClient({ ...settings, fetch }) };
}

const page = { limit: 50 };
const lastDay = { since: '2026-01-14T12:00:00.000Z', until: '2026-01-16T12:00:00.000Z' };
const entryId = '2026-01-15T11:00:00.000Z#req-1#0';

describe('the query client', () => {
  it.each<[string, (client: QueryClient) => Promise<unknown>, Call]>([
    ['a message', (client) => client.getMessage({ messageId: 'msg-1' }), ['message', 'msg-1']],
    ['failed messages', (client) => client.listMessages({ state: 'failed' }), ['failed', lastDay, page]],
    [
      'pending messages',
      (client) =>
        client.listMessages({
          state: 'pending',
          status: ['sent', 'queued'],
          limit: 7,
          until: '2026-01-15T02:00:00+02:00',
        }),
      ['pending', { until: '2026-01-15T00:00:00.000Z', statuses: ['sent', 'queued'] }, { limit: 7 }],
    ],
    [
      'a timeline',
      (client) => client.getTimeline({ phone: '+12025550143', cursor: 'c+/=' }),
      ['phone', { phone: '+12025550143' }, { ...page, cursor: 'c+/=' }],
    ],
    [
      'a send',
      (client) => client.listSend({ sendId: '50% of a/b?' }),
      ['send', { sendId: '50% of a/b?' }, page],
    ],
    [
      'a send as CSV',
      (client) => client.listSendCsv({ sendId: 'a/b', status: ['failed'] }),
      ['send', { sendId: 'main/a/b', statuses: ['failed'] }, page],
    ],
    ['sends', (client) => client.listSends(), ['counted-sends', page]],
    ['the figures of a send', (client) => client.getSend({ sendId: 'send-1' }), ['counted-send', 'send-1']],
    ['a conversation', (client) => client.getConversation({ of: 'r~reply-1' }), ['reply', 'reply-1']],
    ['a number', (client) => client.search({ q: '+1 202 555 0143' }), ['number', '+12025550143']],
    ['replies', (client) => client.listReplies(), ['replies', lastDay, page]],
    ['opt-outs', (client) => client.listOptOuts(), ['optOuts', {}, page]],
    [
      'quarantine',
      (client) => client.listQuarantine({ reason: 'bad-time' }),
      ['quarantine', { ...lastDay, reason: 'bad-time' }, page],
    ],
    ['a quarantine entry', (client) => client.getQuarantineEntry({ entryId }), ['entry', entryId]],
  ])('asks for %s as the function understands it', async (_, ask, call) => {
    const { calls, client } = connected();
    await ask(client);
    expect(calls).toContainEqual(call);
  });

  it('reads all pages of a list with the same query, and throws the error of a page', async () => {
    const { queries, client } = answered(
      Response.json({ entries: [{ replyId: 'r1' }, { replyId: 'r2' }], next: 'c1' }),
      Response.json({ entries: [], next: 'c2' }),
      Response.json({ entries: [{ replyId: 'r3' }], next: null }),
      Response.json({ message: 'Too Many Requests' }, { status: 429 }),
    );
    const query = { since: '2026-01-15T00:00:00Z', limit: 2 };
    const replies = () => allEntries((cursor) => client.listReplies({ ...query, ...cursor }));
    const found: string[] = [];
    for await (const { replyId } of replies()) found.push(replyId);
    expect(found).toEqual(['r1', 'r2', 'r3']);
    const asked = { ...query, limit: '2' };
    expect(queries).toEqual([asked, { ...asked, cursor: 'c1' }, { ...asked, cursor: 'c2' }]);
    await expect(replies().next()).rejects.toMatchObject({ name: 'QueryError', status: 429 });
  });

  it('reads a send as CSV, with the names of the columns once', async () => {
    const link = (cursor: string) => ({ headers: { link: `<?status=failed&cursor=${cursor}>; rel="next"` } });
    const { queries, client } = answered(
      new Response('a,b\r\n1,"x\r\ny"\r\n', link('c%2B%2F%3D')),
      new Response('a,b\r\n', link('c2')),
      new Response('a,b\r\n3,z\r\n'),
      Response.json({ message: 'Too Many Requests' }, { status: 429 }),
    );
    const csv = () => allCsv((page) => client.listSendCsv({ sendId: 'send-1', status: ['failed'], ...page }));
    const parts: string[] = [];
    for await (const part of csv()) parts.push(part);
    expect(parts.join('')).toBe('a,b\r\n1,"x\r\ny"\r\n3,z\r\n');
    expect(queries).toEqual([
      { status: 'failed' },
      { status: 'failed', cursor: 'c+/=' },
      { status: 'failed', cursor: 'c2' },
    ]);
    await expect(csv().next()).rejects.toMatchObject({ name: 'QueryError', status: 429 });
  });

  it('reads the pages of CSV that the function answers', async () => {
    const { calls, client } = connected();
    const pages = allCsv((page) => client.listSendCsv({ sendId: 'a/b', status: ['undelivered'], ...page }));
    expect((await pages.next()).value).toMatch(/^messageId,phone,.*\r\nmsg-1,\+12025550143,/);
    expect((await pages.next()).value).toMatch(/^msg-1,/);
    expect(calls.map(([, , asked]) => asked)).toEqual([page, { ...page, cursor: 'next-cursor' }]);
  });

  it('throws the problem of a query as an error that explains it', async () => {
    const { client } = connected();
    const invalid = client.listReplies({ limit: 0 });
    await expect(invalid).rejects.toBeInstanceOf(QueryError);
    await expect(invalid).rejects.toThrow(/limit: expected a whole number from 1 to 100/);
    const unknown = client.getMessage({ messageId: 'unknown' });
    const type = 'urn:sms-event-pipeline:problem:unknown-message';
    await expect(unknown).rejects.toMatchObject({ name: 'QueryError', type, status: 404 });
  });

  it('makes a problem of a response of API Gateway itself', async () => {
    const { client } = answered(
      Response.json({ message: 'Forbidden' }, { status: 403 }),
      new Response('<html>', { status: 502 }),
    );
    const problem = {
      type: 'about:blank',
      title: 'HTTP 403',
      status: 403,
      detail: '{"message":"Forbidden"}',
    };
    await expect(client.listOptOuts()).rejects.toMatchObject(problem);
    await expect(client.listOptOuts()).rejects.toMatchObject({ status: 502, detail: '<html>' });
  });

  it('throws where there is no response, or one that is not JSON', async () => {
    const { client } = answered(new Response('<html>'));
    await expect(client.listOptOuts()).rejects.toThrow(SyntaxError);
    await expect(client.listOptOuts()).rejects.toThrow('fetch failed');
  });
});

it.each(['', '.', '..'])('asks for no message with the id %j, which a URL cannot hold', async (messageId) => {
  const { client, queries } = answered();
  expect(() => client.getMessage({ messageId })).toThrow(RangeError);
  expect(queries).toEqual([]);
});
