import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createAnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { viewMessage } from '../../../../../functions/query/api/views/views.ts';
import { type Call, dependencies, message, queryEvent } from './fakes.ts';

async function ask(target: string, options?: Parameters<typeof queryEvent>[1], failure?: Error) {
  const { all, calls, recorded } = dependencies(failure);
  const { statusCode, headers = {}, body } = await createAnswerQuery(all)(queryEvent(target, options));
  return {
    statusCode,
    headers,
    body,
    json:
      body === undefined || !headers['content-type']?.toString().includes('json')
        ? undefined
        : JSON.parse(body),
    calls,
    recorded,
  };
}

const lastDay = { since: '2026-01-14T12:00:00.000Z', until: '2026-01-16T12:00:00.000Z' };
const page = { limit: 50 };

describe('a query', () => {
  it('for a message is answered with its history', async () => {
    const { statusCode, headers, json, calls } = await ask('/v1/messages/msg-1');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json');
    expect(json).toEqual(viewMessage(message));
    expect(calls).toEqual([['message', 'msg-1']]);
  });

  it.each([
    ['/v1/messages?state=failed', ['failed', lastDay, page]],
    [
      '/v1/messages?state=failed&until=2026-01-10T00:00:00Z&status=failed,expired&limit=7&cursor=c',
      [
        'failed',
        {
          since: '2026-01-09T00:00:00.000Z',
          until: '2026-01-10T00:00:00.000Z',
          statuses: ['failed', 'expired'],
        },
        { limit: 7, cursor: 'c' },
      ],
    ],
    ['/v1/messages?state=pending', ['pending', {}, page]],
    ['/v1/messages?state=unknown', ['unknown', lastDay, page]],
    ['/v1/messages?state=pending&status=sent', ['pending', { statuses: ['sent'] }, page]],
    ['/v1/phones/+12025550143/timeline', ['phone', { phone: '+12025550143' }, page]],
    [
      '/v1/phones/+12025550143/timeline?since=2026-01-15T00:00:00.5%2B02:00&status=delivered',
      ['phone', { phone: '+12025550143', since: '2026-01-14T22:00:00.500Z', statuses: ['delivered'] }, page],
    ],
    ['/v1/sends/a/b/messages?limit=100', ['send', { sendId: 'main/a/b' }, { limit: 100 }]],
    ['/v1/replies', ['replies', lastDay, page]],
    ['/v1/opt-outs?until=2026-01-15T00:00:00Z', ['optOuts', { until: '2026-01-15T00:00:00.000Z' }, page]],
    ['/v1/quarantine', ['quarantine', lastDay, page]],
    ['/v1/quarantine?reason=bad-time', ['quarantine', { ...lastDay, reason: 'bad-time' }, page]],
    ...(
      [
        ['/v1/messages?state=failed', 'failed', lastDay],
        ['/v1/messages?state=pending', 'pending', {}],
        ['/v1/messages?state=unknown', 'unknown', lastDay],
        ['/v1/phones/+12025550143/timeline?limit=50', 'phone', { phone: '+12025550143' }],
        ['/v1/replies?limit=50', 'replies', lastDay],
        ['/v1/opt-outs?limit=50', 'optOuts', {}],
        ['/v1/quarantine?limit=50', 'quarantine', lastDay],
      ] as const
    ).map(([target, list, query]): [string, Call] => [
      `${target}&source=main`,
      [list, { ...query, source: 'main' }, page],
    ]),
  ])('for %s is answered with its list', async (target, call) => {
    const { statusCode, json, calls } = await ask(target);
    expect(calls).toEqual([call]);
    expect(statusCode).toBe(200);
    expect(json).toMatchObject({ entries: [{}], next: 'next-cursor' });
  });

  it.each([
    ['US', ['msg-1']],
    ['BR', []],
  ])('for the country %s leaves out messages to other countries', async (country, expected) => {
    const { json } = await ask(`/v1/messages?state=failed&country=${country}`);
    expect(json.entries.map(({ messageId }: { messageId: string }) => messageId)).toEqual(expected);
    expect(json.next).toBe('next-cursor');
  });

  it.each([
    // The only message is sent, and did not fail.
    ['/v1/messages?state=failed&reason=unknown', 0],
    ['/v1/messages?state=failed&reason=spam', 0],
    ['/v1/messages?state=failed&code=', 0],
    ['/v1/sends/send-1/messages?reason=unknown', 0],
    ['/v1/messages?state=failed&code=30003', 0],
    ['/v1/sends/send-1/messages?reason=spam', 0],
    ['/v1/replies?text=yE', 1],
    ['/v1/replies?text=no', 0],
    ['/v1/opt-outs?by=person', 1],
    ['/v1/opt-outs?by=operator', 0],
  ])('for %s has the entries that match: %d', async (target, count) => {
    const { json, calls } = await ask(target);
    expect(json.entries).toHaveLength(count);
    // A cursor is for the same filter only.
    const [, query] = calls.at(-1) ?? [];
    const [name = '', value] = [...new URL(target, 'http://x').searchParams].at(-1) ?? [];
    expect(query).toHaveProperty('where.identity', name === 'text' ? ['maskedText'] : [name, value]);
  });

  it('for a quarantine entry is answered with the request as received', async () => {
    const { json } = await ask('/v1/quarantine/2026-01-15T11:00:00.000Z#req-1#0');
    expect(json).toMatchObject({ reason: 'bad-time', raw: '{}', encoding: 'utf8' });
  });
});

describe('the messages of a send as CSV', () => {
  const target = '/v1/sends/a/b/messages.csv?status=undelivered,failed&limit=7';

  it('are a page of the same list, which names the page after it', async () => {
    const { statusCode, headers, body, calls } = await ask(target);
    expect(calls).toEqual([
      ['send', { sendId: 'main/a/b', statuses: ['undelivered', 'failed'] }, { limit: 7 }],
    ]);
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      link: '<?status=undelivered%2Cfailed&limit=7&cursor=next-cursor>; rel="next"',
    });
    expect(body).toBe(
      [
        'messageId,phone,sendId,status,final,statusAt,firstSeenAt,deliveryMs,errorCode,errorText,conflict,errorReason,price,currency,segments,network,carrier,source,channel\r\n',
        'msg-1,+12025550143,,sent,false,2026-01-15T11:00:00.000Z,2026-01-15T11:00:01.000Z,,,,false,,,,,,,,\r\n',
      ].join(''),
    );
  });

  it('continue at the cursor in the link of the page before', async () => {
    const { headers } = await ask(target);
    const [, query] = /^<(.*)>/.exec(String(headers.link)) ?? [];
    const { calls } = await ask(`/v1/sends/a/b/messages.csv${query}`);
    expect(calls).toMatchObject([['send', {}, { limit: 7, cursor: 'next-cursor' }]]);
  });

  it('have a tag, and problems in JSON', async () => {
    const { headers } = await ask(target);
    const again = await ask(target, { headers: { 'if-none-match': String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, undefined]);
    expect((await ask('/v1/sends/a/messages.csv?limit=0')).json).toMatchObject({ status: 400 });
  });
});

describe('a query for a resource that does not exist', () => {
  it.each([
    ['/v1/messages/unknown', 'unknown-message'],
    ['/v1/sends/unknown', 'unknown-send'],
    ['/v1/quarantine/2026-01-15T11:00:00.000Z#req-2#0', 'unknown-quarantine-entry'],
    ['/v1/nothing', 'no-such-path'],
    ['/v1/messages/', 'no-such-path'],
  ])('%s is answered with a 404 that says %s', async (target, name) => {
    const { statusCode, headers, json } = await ask(target);
    expect(statusCode).toBe(404);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(json).toMatchObject({ type: `urn:sms-event-pipeline:problem:${name}`, status: 404 });
  });

  it.each(['POST', 'DELETE', 'OPTIONS'])(
    '%s is answered with a 405 that lists the allowed methods',
    async (method) => {
      const { statusCode, headers, json, calls } = await ask('/v1/messages/msg-1', { method });
      expect([statusCode, headers.allow]).toEqual([405, 'GET, HEAD']);
      expect(json).toMatchObject({ type: 'urn:sms-event-pipeline:problem:method-not-allowed', status: 405 });
      expect(calls).toEqual([]);
      expect((await ask('/v1/nothing', { method })).statusCode).toBe(404);
    },
  );

  it('with an unreadable path is answered with a 400', async () => {
    const { statusCode, json } = await ask('/v1/messages/50%');
    expect([statusCode, json.type]).toEqual([400, 'urn:sms-event-pipeline:problem:invalid-path']);
  });
});

describe('an answer that the caller has cached', () => {
  it('has a tag of its content, and may be cached by the caller only', async () => {
    const { headers } = await ask('/v1/messages/msg-1');
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
    expect((await ask('/v1/messages/msg-1')).headers.etag).toBe(headers.etag);
    expect((await ask('/v1/replies')).headers.etag).not.toBe(headers.etag);
  });

  it.each([
    ['the tag', (tag: string) => tag],
    ['the tag as a weak one', (tag: string) => `W/${tag}`],
    ['a list that holds it', (tag: string) => `"other", W/"more" ,${tag}`],
    ['anything', () => ' * '],
  ])('is not sent again for %s', async (_, given) => {
    const { headers } = await ask('/v1/messages/msg-1');
    const again = await ask('/v1/messages/msg-1', {
      headers: { 'if-none-match': given(String(headers.etag)) },
    });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBeUndefined();
    expect(again.headers).toEqual({ etag: headers.etag, 'cache-control': 'private, no-cache' });
  });

  it.each(['"other"', 'nonsense', ''])('is sent for the tag %s', async (tag) => {
    const { statusCode } = await ask('/v1/messages/msg-1', { headers: { 'if-none-match': tag } });
    expect(statusCode).toBe(200);
  });
});

describe('the query API, for HEAD,', () => {
  it.each(['/v1/messages/msg-1', '/v1/messages/unknown', '/v1/replies?limit=0'])(
    'of %s answers as for GET, without the body',
    async (target) => {
      const [get, head] = [await ask(target), await ask(target, { method: 'HEAD' })];
      expect([head.statusCode, head.headers]).toEqual([get.statusCode, get.headers]);
      expect(head.body).toBeUndefined();
    },
  );
});

describe('a failure of a query', () => {
  const named = (name: string, more: object = {}) =>
    Object.assign(new Error('the item of +12025550143 is secret'), { name, ...more });

  it('that is unexpected is a 500 without details, and is logged by its name', async () => {
    const { statusCode, json, body, recorded } = await ask('/v1/messages/msg-1', {}, named('TypeError'));
    expect([statusCode, json.type]).toEqual([500, 'urn:sms-event-pipeline:problem:internal']);
    expect(recorded.lines).toEqual([{ name: 'QUERY_FAILED', fields: { error: 'TypeError' } }]);
    expect(recorded.counts.get('queryFailed')).toBe(1);
    expect(body + recorded.text()).not.toMatch(/secret|12025550143/);
  });

  it.each([
    named('ProvisionedThroughputExceededException'),
    named('ThrottlingException'),
    named('RequestLimitExceeded'),
    named('TimeoutError'),
    named('InternalServerError'),
    named('Error', { code: 'ECONNREFUSED' }),
  ])('that is temporary ($name) is a 503 with the time of a retry', async (failure) => {
    const { statusCode, headers, json, recorded } = await ask('/v1/replies', {}, failure);
    expect([statusCode, json.type]).toEqual([503, 'urn:sms-event-pipeline:problem:unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(recorded.lines).toEqual([{ name: 'QUERY_FAILED', fields: { error: failure.name } }]);
    expect(recorded.counts.get('queryFailed')).toBe(1);
  });
});

describe('an answer is compressed', () => {
  async function ask(acceptEncoding: string, method = 'GET') {
    const { all } = dependencies();
    const entries = Array.from({ length: 20 }, (_, index) => ({ ...message, messageId: `msg-${index}` }));
    const lists = { ...all.lists, failed: async () => ({ entries }) };
    return createAnswerQuery({ ...all, lists })(
      queryEvent('/v1/messages?state=failed', { method, headers: { 'accept-encoding': acceptEncoding } }),
    );
  }

  it('if its reader accepts gzip, and then has a weak tag and the same content', async () => {
    const plain = await ask('identity');
    expect(plain).toMatchObject({ statusCode: 200, headers: { etag: expect.stringMatching(/^"/) } });
    const { headers, body = '', isBase64Encoded } = await ask('br, gzip;q=0.8');
    expect([isBase64Encoded, headers?.['content-encoding'], headers?.vary]).toEqual([
      true,
      'gzip',
      'accept-encoding',
    ]);
    expect(headers?.etag).toBe(`W/${plain.headers?.etag}`);
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe(plain.body);
    expect(body.length).toBeLessThan((plain.body ?? '').length / 3);
  });

  it.each(['', 'identity', 'gzip;q=0', 'gzip;q=0.0, br', 'x-gzip', '*'])(
    'not with Accept-Encoding: %s',
    async (header) => {
      const { headers, isBase64Encoded } = await ask(header);
      expect([isBase64Encoded, headers?.['content-encoding']]).toEqual([undefined, undefined]);
    },
  );

  it('not for HEAD, nor if it is small', async () => {
    const ofHead = await ask('gzip', 'HEAD');
    expect([ofHead.body, ofHead.isBase64Encoded]).toEqual([undefined, undefined]);
    const { all } = dependencies();
    const small = await createAnswerQuery(all)(
      queryEvent('/v1/messages/msg-1', { headers: { 'accept-encoding': 'gzip' } }),
    );
    expect(small.isBase64Encoded).toBeUndefined();
  });
});
