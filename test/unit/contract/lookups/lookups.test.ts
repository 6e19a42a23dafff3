import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../contract/document/parse.ts';
import { createLookupReader, type LookupAnswer } from '../../../../contract/lookups/lookup-answer.ts';
import {
  ForeignPageError,
  type LookupQuestion,
  lookupRequest,
  NoSuchLookupError,
} from '../../../../contract/lookups/lookup-request.ts';
import type { LookupsContract } from '../../../../contract/schema/contract-schema.ts';
import shipped from '../../../../contract.json' with { type: 'json' };

const baseUrl = 'https://api.example.com';
const span = {
  operation: 'list',
  since: '2026-01-15T00:00:00.000Z',
  until: '2026-01-16T00:00:00.000Z',
} as const;
const operation = { path: '/messages', events: 'data' };
const list = { ...operation, query: { from: '{since}', to: '{until}' } };

/** Parses the shipped contract with other operations of its lookups. */
function contractWith({ report, ...own }: { readonly report?: object; readonly [key: string]: unknown }) {
  const { authentication, report: shippedReport } = shipped.lookups;
  const lookups = { authentication, report: { ...shippedReport, ...report }, samples: [], ...own };
  return parseContract({ ...shipped, lookups });
}

function lookupsOf(own: Parameters<typeof contractWith>[0]): LookupsContract {
  const { lookups } = contractWith(own);
  if (lookups === null) throw new Error('expected lookups');
  return lookups;
}

function requestOf(own: Parameters<typeof contractWith>[0], question: LookupQuestion, next?: string) {
  return lookupRequest(lookupsOf(own), question, next, { baseUrl, user: 'AC1' });
}

function answerTo(
  own: Parameters<typeof contractWith>[0],
  body: unknown,
  more: { page?: string; link?: string; url?: string; operation?: 'send' } = {},
) {
  const contract = contractWith(own);
  const { lookups } = contract;
  if (lookups === null) throw new Error('expected lookups');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return createLookupReader(
    contract,
    lookups,
  )({
    operation: 'list',
    text,
    answeredAt: '2026-01-16T00:00:01.000Z',
    ...more,
  });
}

function nextOf(answer: LookupAnswer): string | undefined {
  if (answer.kind === 'unreadable') throw new Error(answer.expected);
  return answer.next;
}

const delivered = { id: 'msg-1', to: '+12025550143', status: 'delivered', status_at: '2026-01-15T12:00:05Z' };

describe('the request of a lookup', () => {
  it('has the id in its path, encoded', () => {
    const message = { ...operation, path: '/accounts/{user}/messages/{messageId}.json' };
    const authentication = { kind: 'basic' };
    expect(requestOf({ message, authentication }, { operation: 'message', messageId: 'a/b ?' })).toEqual({
      method: 'GET',
      path: '/accounts/AC1/messages/a%2Fb%20%3F.json',
    });
  });

  it.each([
    ['iso8601', '2026-01-15T00:00:00Z'],
    ['iso8601-offset', '2026-01-15T00:00:00.000+0000'],
    ['date-time', '2026-01-15 00:00:00'],
    ['date', '2026-01-15'],
    ['unix-seconds', '1768435200'],
    ['unix-milliseconds', '1768435200000'],
  ])('writes the limits of a span as %s', (spanFormat, since) => {
    const { path } = requestOf({ list: { ...list, spanFormat } }, span);
    expect(new URL(path, baseUrl).searchParams.get('from')).toBe(since);
  });

  it('adds the number, offset or cursor of the next page to the parameters', () => {
    const paging = { kind: 'cursor', parameter: 'cursor', next: 'next' };
    expect(requestOf({ list: { ...list, paging } }, span, 'a&b').path).toBe(
      '/messages?from=2026-01-15T00%3A00%3A00Z&to=2026-01-16T00%3A00%3A00Z&cursor=a%26b',
    );
  });

  it('sends the parameters as JSON if the operation is a POST', () => {
    expect(requestOf({ list: { ...list, method: 'POST' } }, span)).toEqual({
      method: 'POST',
      path: '/messages',
      body: { from: '2026-01-15T00:00:00Z', to: '2026-01-16T00:00:00Z' },
    });
  });

  it('follows the URL of a next page, below a base URL with a path too', () => {
    const paging = { kind: 'next-url', next: 'next' };
    const settings = { baseUrl: `${baseUrl}/v1`, user: undefined };
    const contract = lookupsOf({ list: { ...list, paging } });
    const follow = (next: string) => lookupRequest(contract, span, next, settings).path;
    expect(follow('https://api.example.com/v1/messages?page=2')).toBe('/messages?page=2');
    expect(follow('/v1/messages?page=2')).toBe('/messages?page=2');
  });

  it.each(['https://evil.example/messages', '//evil.example/messages', 'http://api.example.com/messages'])(
    'does not follow a next page at another origin: %s',
    (next) => {
      const paging = { kind: 'next-url', next: 'next' };
      expect(() => requestOf({ list: { ...list, paging } }, span, next)).toThrow(ForeignPageError);
    },
  );

  it('names an operation that the contract lacks', () => {
    expect(() => requestOf({ list }, { operation: 'send', sendId: 's' })).toThrow(NoSuchLookupError);
  });
});

describe('the answer of a lookup', () => {
  it('becomes reports whose ids follow from status and error alone', () => {
    const failed = { ...delivered, id: 'msg-2', status: 'failed', error_code: '30003' };
    const answer = answerTo(
      { list },
      { data: [delivered, { ...delivered, status_at: '2026-01-15T13:00:00Z' }, failed] },
    );
    expect(answer).toMatchObject({
      kind: 'page',
      reports: [
        {
          messageId: 'msg-1',
          eventId: 'lookup:delivered',
          origin: 'lookup',
          occurredAt: '2026-01-15T12:00:05.000Z',
        },
        {
          messageId: 'msg-1',
          eventId: 'lookup:delivered',
          origin: 'lookup',
          occurredAt: '2026-01-15T13:00:00.000Z',
        },
        { messageId: 'msg-2', eventId: 'lookup:failed:30003', phone: '+12025550143' },
      ],
      unreadable: [],
    });
  });

  it('reads words that only lookups use', () => {
    const answer = answerTo(
      { list, statuses: { DELIVRD: 'delivered' } },
      { data: [{ ...delivered, status: 'DELIVRD' }] },
    );
    expect(answer).toMatchObject({
      reports: [{ status: 'delivered', word: 'DELIVRD', eventId: 'lookup:DELIVRD' }],
    });
  });

  it('uses the time of the lookup if the contract names no time', () => {
    const answer = answerTo({ list, report: { occurredAt: null } }, { data: [delivered] });
    expect(answer).toMatchObject({ reports: [{ occurredAt: '2026-01-16T00:00:01.000Z' }] });
  });

  it('counts messages that cannot be read, and keeps the others', () => {
    const answer = answerTo(
      { list },
      { data: [{ ...delivered, status_at: 'yesterday' }, { to: 'x' }, delivered] },
    );
    expect(answer).toMatchObject({
      reports: [{ messageId: 'msg-1' }],
      unreadable: ['bad-time (occurredAt)', 'missing-field (status)'],
    });
  });

  it('lists sends if the contract says so', () => {
    const send = { path: '/sends/{sendId}', events: 'data' };
    const answer = answerTo(
      { list: { ...list, sendId: 'id' }, send },
      { data: [{ id: 7 }, { id: 'b' }, {}] },
    );
    expect(answer).toMatchObject({
      sendIds: ['7', 'b'],
      reports: [],
      unreadable: ['missing-field (sendId)'],
    });
  });

  it('keeps the digits of long ids', () => {
    const text =
      '{"data":[{"id":12345678901234567890,"status":"delivered","status_at":"2026-01-15T12:00:05Z"}]}';
    expect(answerTo({ list }, text)).toMatchObject({ reports: [{ messageId: '12345678901234567890' }] });
  });

  it.each([
    ['text that is not JSON', '<html>', 'expected JSON'],
    ['an answer without the list', {}, 'expected a list at lookups.list.events of the contract'],
  ])('is unreadable as a whole: %s', (_, body, expected) => {
    expect(answerTo({ list }, body)).toEqual({ kind: 'unreadable', expected });
  });
});

describe('the next page', () => {
  it.each([{ kind: 'next-url', next: 'next' }, { kind: 'link' }])(
    'does not have the API key, although the service repeats the query: %j',
    (paging) => {
      const own = { authentication: { kind: 'query', name: 'key' }, list: { ...list, paging } };
      const next = `${baseUrl}/list?key=AC1%3As&page=2`;
      const more = { link: `<${next}>; rel="next"`, url: `${baseUrl}/list` };
      expect(nextOf(answerTo(own, { data: [delivered], next }, more))).toBe(`${baseUrl}/list?page=2`);
    },
  );

  const numbered = { ...list, paging: { kind: 'page', parameter: 'page' } };
  const offset = { ...list, paging: { kind: 'offset', parameter: 'offset', size: 2 } };
  const cursor = { ...list, paging: { kind: 'cursor', parameter: 'cursor', next: 'next' } };
  const one = { data: [delivered] };
  const two = { data: [delivered, delivered] };

  it('follows a full page of numbers until a page is empty', () => {
    expect(nextOf(answerTo({ list: numbered }, one))).toBe('2');
    expect(nextOf(answerTo({ list: numbered }, one, { page: '2' }))).toBe('3');
    expect(nextOf(answerTo({ list: numbered }, { data: [] }, { page: '3' }))).toBeUndefined();
  });

  it('ends at the last number that the answer has', () => {
    const paging = { kind: 'page', parameter: 'page', first: 0, last: 'pages' };
    expect(nextOf(answerTo({ list: { ...list, paging } }, { ...one, pages: 1 }))).toBe('1');
    expect(
      nextOf(answerTo({ list: { ...list, paging } }, { ...one, pages: 1 }, { page: '1' })),
    ).toBeUndefined();
  });

  it('skips the items so far, and ends at a page that is not full', () => {
    expect(nextOf(answerTo({ list: offset }, two))).toBe('2');
    expect(nextOf(answerTo({ list: offset }, two, { page: '2' }))).toBe('4');
    expect(nextOf(answerTo({ list: offset }, one, { page: '4' }))).toBeUndefined();
  });

  it('counts all items of a page if the contract filters them', () => {
    const filtered = {
      ...offset,
      events: "data[?status == 'sent']",
      paging: { ...offset.paging, items: 'data' },
    };
    expect(nextOf(answerTo({ list: filtered }, two))).toBe('2');
  });

  it('is the cursor of the answer, and ends where there is none', () => {
    expect(nextOf(answerTo({ list: cursor }, { ...one, next: 'c2' }))).toBe('c2');
    for (const next of [null, '', undefined])
      expect(nextOf(answerTo({ list: cursor }, { ...one, next }))).toBeUndefined();
  });

  it.each([
    ['<https://a.example/?p=1>; rel="prev", <https://a.example/?p=3>; rel="next"', 'https://a.example/?p=3'],
    ['</messages?p=3>; title="x"; rel=next', '/messages?p=3'],
    ['<https://a.example/?p=1>; rel="prev"', undefined],
    ['', undefined],
  ])('is the target of rel="next" in a Link header: %s', (link, next) => {
    expect(nextOf(answerTo({ list: { ...list, paging: { kind: 'link' } } }, one, { link }))).toBe(next);
  });

  const nextUrl = { kind: 'next-url', next: 'next' };
  const byLink = { kind: 'link' };

  it.each([
    ['a cursor', cursor.paging, 'c2', 'c2'],
    ['a URL', nextUrl, '/messages?page=2', `${baseUrl}/messages?page=2`],
    ['a relative URL', nextUrl, '?page=2', `${baseUrl}/messages?page=2`],
    ['a Link header', byLink, '?page=2', `${baseUrl}/messages?page=2`],
  ])('makes an answer unreadable if it is the page that was asked for: %s', (_, paging, next, page) => {
    const url = `${baseUrl}/messages?page=2`;
    const link = `<${next}>; rel="next"`;
    expect(answerTo({ list: { ...list, paging } }, { ...one, next }, { page, link, url })).toEqual({
      kind: 'unreadable',
      expected: 'expected another next page than the page that was asked for',
    });
  });

  it.each([
    ['?page=2', '/messages?page=2'],
    ['next/2', '/next/2'],
    ['/v1/messages?page=2', '/messages?page=2'],
    ['https://api.example.com/v1/messages?page=2', '/messages?page=2'],
  ])('is resolved against the path that was asked for: %s', (next, path) => {
    const own = { list: { ...list, paging: nextUrl } };
    const url = `${baseUrl}/v1/messages?from=1`;
    const page = nextOf(answerTo(own, { ...one, next }, { url }));
    const settings = { baseUrl: `${baseUrl}/v1`, user: undefined };
    expect(lookupRequest(lookupsOf(own), span, page, settings).path).toBe(path);
  });
});

describe('a contract with lookups', () => {
  it.each([
    ['without an operation', {}, 'lookups.message: expected at least one of'],
    [
      'with a placeholder that nothing fills',
      { message: { ...operation, path: '/{user}/{messageId}' } },
      'expected no placeholder except {messageId}, and found {user}',
    ],
    [
      'with an operation that does not use the id',
      { message: operation },
      'expected {messageId} in the path or in a parameter',
    ],
    [
      'that lists sends and cannot ask for one',
      { list: { ...list, sendId: 'id' } },
      'lookups.list.sendId: expected "send" beside it',
    ],
    [
      'with a bad expression',
      { list: { ...list, events: 'data[' } },
      'lookups.list.events: expected a JMESPath expression',
    ],
    [
      'with a sample that becomes something else',
      {
        list,
        samples: [
          { name: 'x', operation: 'list', body: { data: [delivered] }, becomes: [{ status: 'failed' }] },
        ],
      },
      'lookups.samples.0 (x): event 1: expected status "failed", the mapping gives "delivered"',
    ],
    [
      'with a sample of an operation that it lacks',
      { list, samples: [{ name: 'x', operation: 'send', body: {}, becomes: [] }] },
      'lookups.samples.0 (x): the contract has no lookups.send',
    ],
    [
      'with a sample of another next page',
      { list, samples: [{ name: 'x', operation: 'list', body: { data: [] }, becomes: [], next: '2' }] },
      'expected next "2", the mapping gives null',
    ],
  ])('is refused %s', (_, own, problem) => {
    expect(() => contractWith(own)).toThrow(problem);
  });
});
