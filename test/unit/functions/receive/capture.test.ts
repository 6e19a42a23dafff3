import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import { createTokenReader, createVerifier } from '../../../../contract/signature/verify.ts';
import { maskCredential, matchesMasked } from '../../../../contract/signature/webhook-request.ts';
import { captureLimits } from '../../../../functions/receive/captured-requests.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../../functions/receive/envelope.ts';
import { assertProperty } from '../../../support/property.ts';
import {
  cached,
  contract,
  documentWith,
  failing,
  ingest,
  now,
  rotating,
  secret,
  signed,
  url,
} from './ingest/ingest-under-test.ts';

const iso = (ms: number) => new Date(now + ms).toISOString();
const later = iso(3_600_000);
const on = { capture: { until: later } };
const unsigned = { body: '{"event":"delivered"}', headers: { 'X-Signature': 'abc' } };
const forged = signed('{}', 'whsec_Zm9yZ2Vk');

describe('ingest, while capturing is on,', () => {
  it('queues a request whole that it would otherwise reject, and answers it like an accepted one', async () => {
    const { post, sent, lines, counts } = ingest({ ...on, acknowledge: { status: 202 } });
    const answer = await post({ ...unsigned, rawQueryString: 'a=1' });
    expect(sent).toEqual([
      {
        requestId: 'req-1',
        receivedAt: iso(0),
        body: Buffer.from(unsigned.body),
        captured: { method: 'POST', url: `${url}?a=1`, headers: { 'x-signature': 'abc' } },
        contract,
      },
    ]);
    expect([...counts]).toEqual([['captured', 1]]);
    expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason: 'signature-missing' } }]);
    expect(answer).toEqual(await ingest({ acknowledge: { status: 202 } }).post(signed('{}')));
  });

  it('masks a token once more that a sender has masked, also in a form in JSON after a byte-order mark', async () => {
    const inBody = signature.parse({ scheme: 'token', body: 'token' });
    const verify = createVerifier(inBody, postedJson);
    const { post, sent } = ingest({
      verify,
      capture: { until: later, tokenIn: createTokenReader(inBody, postedJson) },
    });
    // An attacker knows it from a capture that was shown to others.
    const known = maskCredential(secret, 'req-0');
    await post({ body: `\ufeff${JSON.stringify({ text: `&token=${known}&` })}` });
    const [{ body, captured } = {}] = sent;
    const request = { headers: {}, url: '', ...captured, body: body ?? Buffer.of(), masked: true };
    expect(verify(request, [secret], now)).toMatchObject({ kind: 'rejected' });
  });

  it.each([
    ['signature-missing', unsigned],
    ['signature-mismatch', forged],
    ['timestamp-invalid', { ...forged, headers: { ...forged.headers, 'webhook-timestamp': 'soon' } }],
    ['timestamp-outside-window', signed('{}', secret, now - 300_001)],
  ])('captures a request for any reason of rejection: %s', async (reason, request) => {
    const { post, sent, lines, counts } = ingest(on);
    expect(await post(request)).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ captured: { url } }]);
    expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason } }]);
    // The alarm on refused requests watches what is refused.
    expect(counts.has('rejected')).toBe(false);
  });

  it('parks a request during a rotation, because the service may have signed it with a new secret', async () => {
    const { post, sent, counts } = ingest({ ...on, cache: cached(documentWith(secret, { rotating })) });
    await post({ ...forged, headers: { ...forged.headers, 'X-Other': 'abc' } });
    expect(sent).toMatchObject([{ unverified: { url, headers: forged.headers } }]);
    expect([...counts]).toEqual([['parked', 1]]);
  });

  it('parks a request where everything that does not match is parked, because the parked ones are verified later', async () => {
    const { post, sent } = ingest({ ...on, park: 'always' });
    await post(forged);
    await post(unsigned);
    expect(sent).toMatchObject([{ unverified: { url } }, { captured: { url } }]);
  });

  it('masks credentials, and a known secret wherever it occurs', async () => {
    const { post, sent, text } = ingest(on);
    const headers = { Authorization: 'Bearer abc.def', 'x-any': `key=${secret};`, 'user-agent': 'sms/1' };
    await post({ body: '{}', headers });
    const kept = sent[0]?.captured?.headers ?? {};
    expect(kept).toMatchObject({ 'user-agent': 'sms/1' });
    expect(matchesMasked(kept.authorization ?? '', 'Bearer abc.def')).toBe(true);
    expect(matchesMasked(kept['x-any'] ?? '', headers['x-any'])).toBe(true);
    expect(JSON.stringify(sent) + text()).not.toMatch(/abc\.def|whsec/);
  });

  const key = 'Zk3+ab/9Qw==';
  const encoded = encodeURIComponent(key);
  it.each<
    [string, { body?: string; headers?: Record<string, string>; rawPath?: string; rawQueryString?: string }]
  >([
    ['a path in a header', { headers: { 'x-forwarded-uri': `/webhook?token=${encoded}` } }],
    [
      'a header of several values',
      { headers: { forwarded: `for=192.0.2.1;path="/webhook?token=${encoded}"` } },
    ],
    ['a URL without a scheme', { headers: { referer: `//x.example/webhook?token=${encoded}` } }],
    ['a URL with a user', { headers: { referer: `https://u:${encoded}@x.example/webhook` } }],
    ['Base64 of more', { headers: { 'x-other': Buffer.from(`u:${key}`).toString('base64') } }],
    ['the name of a parameter', { rawQueryString: encoded }],
    ['the name of a field of a form', { body: `${encoded}=1` }],
    ['the name of a field of JSON', { body: JSON.stringify({ [key]: 1 }) }],
    ['a text', { body: `token: ${key}` }],
    ['several lines of JSON', { body: `{"a":1}\n${JSON.stringify({ token: key })}` }],
    ['JSON that is cut off', { body: JSON.stringify({ token: key }).slice(0, -1) }],
    ['JSON with a text alone', { body: JSON.stringify(key) }],
    ['JSON in JSON', { body: JSON.stringify({ a: JSON.stringify({ t: key }).replaceAll('/', '\\/') }) }],
    ['Base64 in the body', { body: JSON.stringify({ a: Buffer.from(key).toString('base64') }) }],
  ])('masks a stored secret in %s', async (_where, { body = '{}', headers = {}, ...rest }) => {
    const { post, sent } = ingest({ ...on, cache: cached(documentWith(key)) });
    await post({ body, headers, ...rest });
    const [{ body: kept, captured } = {}] = sent;
    const text = `${JSON.stringify(captured)}\n${kept}`;
    const readings = [text, decodeURIComponent(text), text.replaceAll('\\', '')];
    for (const reading of readings) expect(reading).not.toContain(key);
    expect(text).not.toContain(Buffer.from(key).toString('base64').replace(/=+$/, '').slice(2, -2));
    expect(text).toContain('masked');
  });

  it.each([
    ['with letters beyond ASCII in JSON', 'chave-é-中文', '{"t":"chave-é-中文"}', '{"t":"masked"}'],
    ['with letters beyond ASCII in a text', 'chave-é-中文', 't: chave-é-中文.', 't: masked.'],
    ['without the user before it', 'user:Zk3+ab/9Qw', '{"t":"Zk3+ab/9Qw x"}', '{"t":"masked x"}'],
    ['without the prefix before its key', secret, `t: ${secret.slice(6)}`, 't: masked'],
  ])('masks a stored secret %s', async (_what, stored, body, masked) => {
    const { post, sent } = ingest({ ...on, cache: cached(documentWith(stored)) });
    await post({ body, headers: {} });
    expect(`${sent[0]?.body}`.replace(/masked:[^"]*/, 'masked')).toBe(masked);
  });

  it('masks a short password where it is a value', async () => {
    const { post, sent } = ingest({ ...on, cache: cached(documentWith('user:pw-1')) });
    await post({ body: '{"t":"pw-1","u":"pw-12"}', headers: {} });
    expect(`${sent[0]?.body}`).toMatch(/^\{"t":"masked:[^"]*","u":"pw-12"\}$/);
  });

  it('masks a stored secret in the path that the contract reads', async () => {
    const { post, sent } = ingest({ ...on, reads: { path: 'unsigned' }, cache: cached(documentWith(key)) });
    await post({ body: '{}', headers: {}, path: `of/${key}` });
    expect(sent[0]?.path).toBe('of/masked');
    expect(sent[0]?.captured?.url).toBe(`${url}/of/masked`);
  });

  it('keeps the other bytes of a body, also those that are no text', async () => {
    const { post, sent } = ingest({ ...on, cache: cached(documentWith(key)) });
    await post({ body: `\u{1F600} %F0 ${key} \\u0041`, headers: {} });
    expect(`${sent[0]?.body}`).toBe('\u{1F600} %F0 masked \\u0041');
  });

  it('rejects requests from other addresses, of other methods and above the size limit as usual', async () => {
    const { post, sent } = ingest({ ...on, allowsSource: () => false });
    expect(await post(unsigned)).toMatchObject({ statusCode: 403 });
    const open = ingest(on);
    expect(await open.post({ ...unsigned, method: 'GET' })).toMatchObject({ statusCode: 405 });
    expect(await open.post({ ...unsigned, body: 'a'.repeat(300_000) })).toMatchObject({ statusCode: 413 });
    expect([...sent, ...open.sent]).toEqual([]);
  });
});

it('ingest captures requests before the webhook is registered', async () => {
  const { post, sent, lines } = ingest({ ...on, cache: cached(undefined) });
  expect(await post(forged)).toMatchObject({ statusCode: 200 });
  expect(sent).toMatchObject([{ captured: { url } }]);
  expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason: 'not-registered' } }]);
});

describe('a capture', () => {
  it.each([
    ['', 401],
    [later, 200],
    [iso(1), 200],
    [iso(0), 401],
    ['soon', 401],
  ])('that ends at %j answers an unsigned request with %i', async (until, statusCode) => {
    expect(await ingest({ capture: { until } }).post(unsigned)).toMatchObject({ statusCode });
  });

  it('that is off causes no read of the secret for an unsigned request', async () => {
    let reads = 0;
    const read = async () => {
      reads++;
      return documentWith(secret);
    };
    const { post } = ingest({ cache: { read, reread: read } });
    for (let number = 0; number < 100; number++)
      expect(await post(unsigned)).toMatchObject({ statusCode: 401 });
    expect(reads).toBe(0);
  });

  it('answers 503 when the secrets cannot be read, because they could not be masked', async () => {
    const { post, sent, lines } = ingest({ ...on, cache: { read: failing, reread: failing } });
    expect(await post(unsigned)).toMatchObject({ statusCode: 503 });
    expect(sent).toEqual([]);
    expect(lines).toEqual([{ name: 'SECRET_UNAVAILABLE', fields: { error: 'TimeoutError' } }]);
  });

  it('keeps nothing if the scheme has no secret', async () => {
    const { post, sent } = ingest({ ...on, hasNoSecret: true });
    expect(await post(unsigned)).toMatchObject({ statusCode: 401 });
    expect(sent).toEqual([]);
  });
});

describe('an instance of ingest captures', () => {
  function instance() {
    const { post, sent, counts, lines } = ingest(on);
    const kept = async (requests: number, request: Parameters<typeof post>[0] = unsigned) => {
      const before = sent.length;
      for (let number = 0; number < requests; number++) await post(request);
      return sent.length - before;
    };
    return { kept, counts, lines };
  }

  const from = (sourceIp: string) => ({ ...unsigned, sourceIp });

  it('five hundred requests of one sender, rejects the others, and logs why', async () => {
    const { kept, counts, lines } = instance();
    expect([await kept(510, from('192.0.2.1')), await kept(1, from('198.51.100.7'))]).toEqual([500, 1]);
    expect(counts.get('rejected')).toBe(10);
    expect(lines).toContainEqual({
      name: 'REQUEST_REJECTED',
      fields: { reason: 'signature-missing', isCaptureFull: true },
    });
  });

  it('a thousand requests of any number of senders', async () => {
    const { kept } = instance();
    let all = 0;
    for (let sender = 0; sender < 400; sender++)
      all += await kept(3, from(`2001:db8:0:${sender.toString(16)}::1`));
    expect(all).toBe(1000);
  });

  it('no more of a sender that forges an address header or uses other addresses of its IPv6 network', async () => {
    const claiming = (address: string) => ({
      ...unsigned,
      headers: { ...unsigned.headers, 'x-forwarded-for': address },
    });
    const pairs = [
      [claiming('203.0.113.1'), claiming('203.0.113.2')],
      [from('2001:db8::1:2'), from('2001:db8::ffff')],
    ] as const;
    for (const [first, second] of pairs) {
      const { kept } = instance();
      expect([await kept(510, first), await kept(10, second)]).toEqual([500, 0]);
    }
  });

  it('no more than its page says', () => {
    const page = readFileSync(new URL('../../../../docs/reference/contract.md', import.meta.url), 'utf8');
    const { bodyBytes, requests, requestsOfOneSender } = captureLimits;
    expect(page).toContain(
      `keeps bodies of up to ${bodyBytes / 1024} KiB, ${requests} requests in all, and ${requestsOfOneSender} of one sender.`,
    );
  });

  it('no body of more than 64 KiB', async () => {
    const { kept } = instance();
    expect(await kept(1, { body: 'a'.repeat(65_537) })).toBe(0);
    expect(await kept(1, { body: 'a'.repeat(65_536) })).toBe(1);
  });

  it('mismatches, and still reports them to setup: the secret may have been rotated elsewhere', async () => {
    const { post, signals } = ingest(on);
    for (let number = 0; number < 20; number++) await post(forged);
    expect(signals).toEqual([
      { mismatches: 1, isBurst: false, isRotating: false },
      { mismatches: 19, isBurst: true, isRotating: false },
    ]);
  });
});

it('captured requests with any headers pass the queue, and the answer is the same', async () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units));
  const names = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'Authorization', 'X-Api-Key', 'cookie', 'masked', ''),
    anyText,
  );
  const values = fc.oneof(
    fc.constantFrom('masked:salt:00', 'Bearer e30.e30.e30', 'Bearer bnVsbA.a.b', `${secret} `, undefined),
    anyText,
  );
  const headers = fc.array(fc.tuple(names, values)).map((entries) => Object.fromEntries(entries));
  await assertProperty(
    fc.asyncProperty(headers, async (given) => {
      const { post, sent } = ingest(on);
      expect(await post({ body: '{}', headers: given })).toEqual(await ingest().post(signed('{}')));
      const [envelope] = sent;
      expect(envelope && decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
      expect(JSON.stringify(envelope)).not.toContain(secret);
    }),
  );
});
