import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../contract/document/parse.ts';
import type { LookupQuestion } from '../../../../contract/lookups/lookup-request.ts';
import shipped from '../../../../contract.json' with { type: 'json' };
import { createServiceLookups } from '../../../../functions/lookups/service-lookups-client.ts';
import { answer, createScriptedService, type Script, tokens } from '../base/sms-service/scripted-server.ts';
import { createTestPorts } from '../base/sms-service/test-ports.ts';

const apiKey = 'AC1:the-secret';
const delivered = { id: 'msg-1', status: 'delivered', status_at: '2026-01-15T12:00:05Z' };
const aboutOne = { operation: 'message', messageId: 'msg-1' } as const;
const span = {
  operation: 'list',
  since: '2026-01-15T00:00:00.000Z',
  until: '2026-01-16T00:00:00.000Z',
} as const;

/** Lookups of a service that plays a script. */
function lookupsOf(script: Script, own: object, key = apiKey) {
  const contract = parseContract({
    ...shipped,
    lookups: {
      ...shipped.lookups,
      message: { path: '/messages/{messageId}', events: '[@]' },
      send: null,
      list: { path: '/messages', query: { from: '{since}' }, events: 'data', paging: { kind: 'link' } },
      samples: [],
      ...own,
    },
  });
  if (contract.lookups === null) throw new Error('expected lookups');
  const { ports, expire, sleeps } = createTestPorts();
  const service = createScriptedService(script, expire);
  const options = { baseUrl: service.url, apiKey: key, ports: { ...ports, fetch: service.fetch } };
  const lookups = createServiceLookups(contract, contract.lookups, options);
  return {
    ...service,
    sleeps,
    ask: (question: LookupQuestion, page?: string) => lookups.ask(question, page),
  };
}

const ok = { 'GET /messages/msg-1': [answer(200, delivered)] };
const basic = { authentication: { kind: 'basic' } };

describe('a lookup', () => {
  it.each(['.', '..'])('does not ask for the id %j, which would lead to another path', async (messageId) => {
    const { ask, requests } = lookupsOf({}, {});
    expect(await ask({ operation: 'message', messageId })).toMatchObject({
      kind: 'ok',
      value: { reports: [] },
    });
    expect(requests).toEqual([]);
  });

  it.each([
    ['the token of the service', { kind: 'token' }, { authorization: 'Bearer token-1' }],
    [
      'Basic authentication',
      { kind: 'basic' },
      { authorization: `Basic ${Buffer.from(apiKey).toString('base64')}` },
    ],
    ['a header', { kind: 'header', name: 'X-API-Key', prefix: 'App ' }, { 'x-api-key': `App ${apiKey}` }],
  ])('proves who asks by %s', async (_, authentication, headers) => {
    const { ask, requests } = lookupsOf({ ...ok, 'POST /v1/auth/token': [tokens()] }, { authentication });
    expect(await ask(aboutOne)).toMatchObject({
      kind: 'ok',
      value: { reports: [{ messageId: 'msg-1', status: 'delivered', origin: 'lookup' }] },
    });
    expect(requests.at(-1)).toMatchObject({ method: 'GET', path: '/messages/msg-1', headers });
  });

  it('proves who asks by a parameter', async () => {
    const { ask, requests } = lookupsOf(ok, { authentication: { kind: 'query', name: 'key' } });
    await ask(aboutOne);
    expect(requests[0]?.path).toBe('/messages/msg-1?key=AC1%3Athe-secret');
  });

  it.each(['no-colon', ':password', 'user:', 'us er:x'])(
    'is not sent if Basic authentication has no user and password: %s',
    async (key) => {
      const { ask, requests } = lookupsOf(ok, basic, key);
      expect(await ask(aboutOne)).toMatchObject({
        error: { kind: 'not-sent', reason: expect.stringContaining('user:password') },
      });
      expect(requests).toEqual([]);
    },
  );

  it('of a message that the service does not know has no reports', async () => {
    const { ask } = lookupsOf({ 'GET /messages/msg-1': [answer(404, { error: 'unknown' })] }, basic);
    expect(await ask(aboutOne)).toMatchObject({ kind: 'ok', value: { reports: [], next: undefined } });
  });

  it('follows the Link header to the next page', async () => {
    const link = { link: '<https://service.example/messages?page=2>; rel="next"' };
    const { ask, requests } = lookupsOf(
      { 'GET /messages': [answer(200, { data: [delivered] }, link), answer(200, { data: [delivered] })] },
      basic,
    );
    const first = await ask(span);
    expect(first).toMatchObject({ kind: 'ok', value: { next: 'https://service.example/messages?page=2' } });
    expect(await ask(span, first.kind === 'ok' ? first.value.next : '')).toMatchObject({
      value: { next: undefined },
    });
    expect(requests.map(({ path }) => path)).toEqual([
      '/messages?from=2026-01-15T00%3A00%3A00Z',
      '/messages?page=2',
    ]);
  });

  it('ends the list with an error if the next page is the one that was asked for, also if its address is relative', async () => {
    const link = { link: '<?page=2>; rel="next"' };
    const { ask, requests } = lookupsOf(
      { 'GET /messages': [answer(200, { data: [delivered] }, link), answer(200, { data: [] }, link)] },
      basic,
    );
    const first = await ask(span);
    expect(await ask(span, first.kind === 'ok' ? first.value.next : '')).toMatchObject({
      error: {
        kind: 'unexpected-answer',
        expected: 'expected another next page than the page that was asked for',
      },
    });
    expect(requests.at(-1)?.path).toBe('/messages?page=2');
  });

  it('never sends the key to another host', async () => {
    const { ask, requests } = lookupsOf(ok, basic);
    const result = await ask(span, 'https://evil.example/messages');
    expect(result).toMatchObject({
      error: { kind: 'not-sent', reason: 'the next page is at another host than lookups.baseUrl' },
    });
    expect(requests).toEqual([]);
  });

  it('of an operation that the contract lacks is not sent', async () => {
    const { ask } = lookupsOf(ok, basic);
    expect(await ask({ operation: 'send', sendId: 's' })).toMatchObject({
      error: { kind: 'not-sent', reason: 'the contract has no lookups.send' },
    });
  });

  it('waits as long as the service asks, and asks again', async () => {
    const { ask, sleeps } = lookupsOf(
      { 'GET /messages/msg-1': [answer(429, '', { 'retry-after': '3' }), answer(200, delivered)] },
      basic,
    );
    expect(await ask(aboutOne)).toMatchObject({ kind: 'ok' });
    expect(sleeps).toEqual([3125]);
  });

  it('ends at once if the service asks to wait for longer than a call takes', async () => {
    const { ask, sleeps } = lookupsOf(
      { 'GET /messages/msg-1': [answer(429, '', { 'retry-after': '600' })] },
      basic,
    );
    expect(await ask(aboutOne)).toMatchObject({ error: { kind: 'too-many-requests' } });
    expect(sleeps).toEqual([]);
  });

  it('is sent no more often than the contract allows', async () => {
    const { ask, sleeps } = lookupsOf(ok, { ...basic, requestsPerSecond: 4 });
    await Promise.all([ask(aboutOne), ask(aboutOne), ask(aboutOne)]);
    expect(sleeps).toEqual([250, 250]);
  });

  it.each([
    ['text that is not JSON', '<html>', 'expected JSON'],
    ['a list that is missing', '{}', 'expected a list at lookups.list.events of the contract'],
  ])('with %s is an error that does not quote it', async (_, text, expected) => {
    const { ask } = lookupsOf({ 'GET /messages': [answer(200, text)] }, basic);
    expect(await ask(span)).toMatchObject({ error: { kind: 'unexpected-answer', expected } });
  });

  it('never shows the key in an error', async () => {
    const { ask } = lookupsOf(
      {
        'GET /messages/msg-1': [
          ({ headers }) => ({ status: 403, body: `no: ${headers.authorization} the-secret`, headers: {} }),
        ],
      },
      basic,
    );
    const text = JSON.stringify(await ask(aboutOne));
    expect(text).toContain('refused');
    expect(text).not.toContain('the-secret');
    expect(text).not.toContain(Buffer.from(apiKey).toString('base64'));
  });
});
