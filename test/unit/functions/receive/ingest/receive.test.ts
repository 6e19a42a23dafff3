import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { signature } from '../../../../../contract/schema/signature-schema.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { createTokenReader, createVerifier } from '../../../../../contract/signature/verify.ts';
import { type Envelope, encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import { maxBodyBytes } from '../../../../../functions/receive/ingest/receive.ts';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import {
  cached,
  contract,
  documentWith,
  failing,
  ingest,
  now,
  oldSecret,
  scheme,
  secret,
  signed,
  url,
} from './ingest-under-test.ts';

describe('ingest, for a genuine request,', () => {
  it('queues it byte for byte and acknowledges it with its id', async () => {
    const { post, sent, lines } = ingest();
    const answer = await post(signed('{"type": "sms.status"}'));
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.body ?? '')).toEqual({ id: 'req-1' });
    expect(sent).toEqual([
      {
        requestId: 'req-1',
        receivedAt: '2026-01-15T12:00:05.000Z',
        signedId: 'evt_1',
        body: Buffer.from('{"type": "sms.status"}'),
        contract,
      },
    ]);
    expect(lines).toEqual([]);
  });

  it('accepts a body that is binary, empty or not JSON: ingest does not parse it', async () => {
    const { post, sent } = ingest();
    const bytes = Buffer.from([0, 255, 254, 13, 10]);
    expect(await post(signed(bytes))).toMatchObject({ statusCode: 200 });
    expect(sent[0]?.body).toEqual(bytes);
    const { body, ...bodyless } = signed('');
    expect(await post(bodyless)).toMatchObject({ statusCode: 200 });
    expect(sent[1]?.body).toHaveLength(0);
    expect(await post(signed('not json \ud83d\ude00'))).toMatchObject({ statusCode: 200 });
  });

  it('accepts a body of the maximum size and rejects one that is a byte larger', async () => {
    const { post, sent, counts } = ingest();
    expect(await post(signed(Buffer.alloc(maxBodyBytes, 'a')))).toMatchObject({ statusCode: 200 });
    expect(await post(signed('a'.repeat(maxBodyBytes)))).toMatchObject({ statusCode: 200 });
    expect(await post(signed(Buffer.alloc(maxBodyBytes + 1, 'a')))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('a'.repeat(maxBodyBytes + 1)))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('é'.repeat(maxBodyBytes / 2 + 1)))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('a'.repeat(2 * maxBodyBytes)))).toMatchObject({ statusCode: 413 });
    expect(sent).toHaveLength(2);
    expect(counts.get('rejectedTooLarge')).toBe(4);
    // The alarm RequestsRejected counts these.
    expect(counts.get('rejected')).toBe(4);
  });

  it('accepts a reply whose text is URLs within each other, if the token is in the URL', async () => {
    const inQuery = signature.parse({ scheme: 'token', query: 'token' });
    const { post, sent } = ingest({
      verify: createVerifier(inQuery, postedJson),
      tokenIn: createTokenReader(inQuery, postedJson),
    });
    const body = JSON.stringify({ text: 'http:?a='.repeat(1000) });
    expect(await post({ body, rawQueryString: `token=${secret}` })).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ body: Buffer.from(body) }]);
  });

  it('verifies the configured URL with the query of the request', async () => {
    if (scheme.scheme !== 'hmac') throw new Error('the shipped contract is hmac');
    const overUrl = { ...scheme, signedContent: '{url}.{body}', timestamp: null, id: null };
    const { post, sent } = ingest({ verify: createVerifier(overUrl, postedJson) });
    const headers = signRequest(overUrl, { body: Buffer.from('{}'), id: '', now, url: `${url}?a=1` }, secret);
    expect(await post({ headers, body: '{}', rawQueryString: 'a=1' })).toMatchObject({ statusCode: 200 });
    expect(await post({ headers, body: '{}' })).toMatchObject({ statusCode: 401 });
    expect(sent).toMatchObject([{ requestId: 'req-1' }]);
    expect(sent[0]?.signedId).toBeUndefined();
  });
});

describe('ingest, for a request that it cannot verify,', () => {
  it.each([
    ['another secret', signed('{}', 'whsec_b3RoZXI='), 'signature-mismatch', 'rejectedSignatureMismatch'],
    ['an altered body', { ...signed('{}'), body: '{ }' }, 'signature-mismatch', 'rejectedSignatureMismatch'],
    ['no signature', { body: '{}' }, 'signature-missing', 'rejectedSignatureMissing'],
    [
      'a bad timestamp',
      { body: '{}', headers: { ...signed('{}').headers, 'webhook-timestamp': '1e9' } },
      'timestamp-invalid',
      'rejectedTimestamp',
    ],
    [
      'an old timestamp',
      { body: '{}', headers: { ...signed('{}').headers, 'webhook-timestamp': '1' } },
      'timestamp-outside-window',
      'rejectedTimestamp',
    ],
    [
      'base64 that is none',
      { ...signed('{}'), body: '***', isBase64Encoded: true },
      'signature-mismatch',
      'rejectedSignatureMismatch',
    ],
    [
      'base64 of a wrong length',
      { ...signed('{}'), body: 'e30', isBase64Encoded: true },
      'signature-mismatch',
      'rejectedSignatureMismatch',
    ],
  ] as const)('answers with a rejection: %s', async (_, request, reason, metric) => {
    const { post, sent, lines, counts } = ingest();
    const answer = await post(request);
    expect(answer).toMatchObject({ statusCode: 401 });
    expect(answer.body).not.toContain(reason);
    expect(sent).toEqual([]);
    expect(lines).toEqual([{ name: 'REQUEST_REJECTED', fields: { reason } }]);
    expect(counts.get(metric)).toBe(1);
    expect(counts.get('rejected')).toBe(1);
  });

  it('verifies it once more with a secret that was just stored', async () => {
    const { post, sent } = ingest({ cache: cached(documentWith(oldSecret), documentWith(secret)) });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(await post(signed('{}', 'whsec_Zm9yZ2Vk'))).toMatchObject({ statusCode: 401 });
    expect(sent).toHaveLength(1);
  });

  it('rejects it without a signal, whether or not the secret can be read, if no secret could match', async () => {
    const { post, signals } = ingest({ cache: { read: failing, reread: failing } });
    expect(await post({ body: '{}' })).toMatchObject({ statusCode: 401 });
    expect(signals).toEqual([]);
  });

  it('verifies it as of its receipt, however long reading the secret takes', async () => {
    let time = now;
    const known = async (): Promise<SecretDocument> => {
      time = now + 10_000;
      return documentWith(secret, {
        previous: { secret: oldSecret, validUntil: '2026-01-15T12:00:06.000Z' },
      });
    };
    const { post, sent } = ingest({ cache: { read: known, reread: known }, clock: () => time });
    expect(await post(signed('{}', secret, now - 300_000))).toMatchObject({ statusCode: 200 });
    time = now;
    expect(await post(signed('{}', oldSecret))).toMatchObject({ statusCode: 200 });
    expect(sent.map(({ receivedAt }) => receivedAt)).toEqual([
      '2026-01-15T12:00:05.000Z',
      '2026-01-15T12:00:05.000Z',
    ]);
  });

  it('answers 405 if its method is not POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'])
      expect(await ingest().post({ ...signed('{}'), method })).toMatchObject({
        statusCode: 405,
        headers: { allow: 'POST' },
      });
  });

  it('counts it if its method is not POST and it has values', async () => {
    const { post, counts, lines } = ingest();
    await post({ ...signed('{}'), method: 'PUT' });
    await post({ method: 'GET', rawQueryString: 'text=STOP' });
    expect(counts.get('rejected')).toBe(2);
    expect(lines).toEqual(Array(2).fill({ name: 'REQUEST_REJECTED', fields: { reason: 'method' } }));
    for (const method of ['GET', 'HEAD']) await post({ method });
    expect(counts.get('rejected')).toBe(2);
  });
});

describe('ingest, by a contract whose method is GET,', () => {
  const byGet = signature.parse({
    scheme: 'hmac',
    algorithm: 'sha256',
    encoding: 'hex',
    query: 'sig',
    signedContent: '{query:sorted}',
    secret: { encoding: 'utf8' },
  });
  const sig = createHmac('sha256', secret).update('id=m1&status=delivered').digest('hex');
  const rawQueryString = `status=delivered&id=m1&sig=${sig}`;
  const parts = {
    methods: ['GET'],
    verify: createVerifier(byGet, { method: 'GET', bodyFormat: 'form' }),
  } as const;

  it('queues the query as the body, and no body', async () => {
    const { post, sent } = ingest(parts);
    const answer = await post({ method: 'GET', rawQueryString, body: 'ignored' });
    expect(answer).toMatchObject({ statusCode: 200 });
    expect(sent.map(({ body }) => Buffer.from(body).toString())).toEqual([rawQueryString]);
  });

  it('answers 401 to another query, and 405 to a POST', async () => {
    const { post, sent } = ingest(parts);
    const other = rawQueryString.replace('delivered', 'failed');
    expect(await post({ method: 'GET', rawQueryString: other })).toMatchObject({ statusCode: 401 });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 405, headers: { allow: 'GET' } });
    expect(sent).toEqual([]);
  });
});

describe('ingest, by a contract whose token is in the query or the body,', () => {
  const token = 'a-token-of-hooks';
  const later = '2026-01-15T13:00:00.000Z';
  const cases = [
    ['query', 'GET', { rawQueryString: `id=m1&token=${token}` }],
    ['query', 'POST', { rawQueryString: `token=${token}`, body: '{"id":"m1"}' }],
    ['body', 'POST', { body: `{"id":"m1","token":"${token}"}` }],
    ['body', 'POST', { body: `id=m1&token=${token}` }],
  ] as const;

  it.each(cases)('queues the %s of a %s without the token: %j', async (place, method, request) => {
    const scheme = signature.parse({ scheme: 'token', [place]: 'token' });
    const format = {
      method,
      bodyFormat: 'body' in request && request.body.startsWith('{') ? 'json' : 'form',
    } as const;
    const tokenIn = createTokenReader(scheme, format);
    const parts = { methods: [method], tokenIn, verify: createVerifier(scheme, format) };
    const { post, sent } = ingest({ ...parts, cache: cached(documentWith(token)) });
    expect(await post({ method, ...request })).toMatchObject({ statusCode: 200 });
    expect(sent).toHaveLength(1);
    expect(encodeEnvelope(sent[0] as Envelope)).not.toContain(token);
    expect(Buffer.from(sent[0]?.body ?? []).toString()).not.toContain(token);
    expect(Buffer.from(sent[0]?.body ?? []).toString()).toContain('m1');
  });

  it.each(cases)('masks the token in the %s of a captured %s: %j', async (place, method, request) => {
    const scheme = signature.parse({ scheme: 'token', [place]: 'token' });
    const format = {
      method,
      bodyFormat: 'body' in request && request.body.startsWith('{') ? 'json' : 'form',
    } as const;
    const tokenIn = createTokenReader(scheme, format);
    const verify = createVerifier(scheme, format);
    for (const contract of [{ tokenIn, verify }, { verify: createVerifier(nestedScheme, postedJson) }])
      for (const current of [token, 'another-token']) {
        const cache = cached(documentWith(current));
        const capture = { until: later, tokenIn: contract.tokenIn };
        const { post, sent, lines } = ingest({ ...contract, methods: [method], cache, capture });
        const answer = await post({ method, ...request });
        const isVerified = contract.tokenIn !== undefined && current === token;
        expect(answer).toMatchObject({ statusCode: 200 });
        const [envelope] = sent;
        if (envelope === undefined) throw new Error('nothing was queued');
        const kept = JSON.stringify(envelope) + Buffer.from(envelope.body).toString();
        // A contract that knows no token in this place masks what it knows: the stored secrets.
        if (contract.tokenIn !== undefined || current === token) expect(kept).not.toContain(token);
        expect(JSON.stringify(lines)).not.toContain(token);
        if (isVerified || contract.tokenIn === undefined) continue;
        const captured = { ...envelope.captured, headers: {}, url: envelope.captured?.url ?? '' };
        const read = { ...captured, body: envelope.body, masked: true };
        expect(verify(read, [token], now).kind).toBe('verified');
      }
  });
});

it('a captured request that repeats its URL shows no token, whether it is stored or not, and in whatever escapes', async () => {
  const odd = 'a+b/c=d~e(f)';
  const scheme = signature.parse({ scheme: 'token', query: 'token' });
  const tokenIn = createTokenReader(scheme, postedJson);
  const query = `token=${encodeURIComponent(odd)}`;
  const repeated = `https://hooks.example.test/sms?${query}`.replace(/%../g, (one) => one.toLowerCase());
  for (const document of [documentWith(odd), documentWith('another'), undefined])
    for (const headers of [{ 'x-original-url': repeated }, {}]) {
      const { post, sent } = ingest({
        verify: createVerifier(nestedScheme, postedJson),
        cache: cached(document),
        capture: { until: new Date(now + 3_600_000).toISOString(), tokenIn },
      });
      await post({ rawQueryString: query, headers, body: JSON.stringify({ callback_url: repeated }) });
      expect(sent).toHaveLength(1);
      const kept = JSON.stringify(sent) + Buffer.from(sent[0]?.body ?? []).toString();
      expect(kept).toContain('hooks.example.test');
      expect(kept).not.toMatch(/b(\/|%2f)c/i);
    }
});

const nestedScheme = signature.parse({ scheme: 'token', header: 'x-token' });

describe('ingest, for a fault of its own,', () => {
  it.each([
    ['the queue', { queue: { send: failing } }, 'QUEUE_UNAVAILABLE'],
    ['the secret store', { cache: { read: failing, reread: failing } }, 'SECRET_UNAVAILABLE'],
    [
      'the secret store on a mismatch',
      { cache: { ...cached(documentWith(oldSecret)), reread: failing } },
      'SECRET_UNAVAILABLE',
    ],
    [
      'the verifier',
      {
        verify: () => {
          throw new RangeError('detail');
        },
      },
      'VERIFIER_FAILED',
    ],
    ['registration', { cache: cached(undefined) }, 'SECRET_NOT_REGISTERED'],
    [
      'a secret that was deleted',
      { cache: { ...cached(documentWith(oldSecret)), reread: cached(undefined).reread } },
      'SECRET_NOT_REGISTERED',
    ],
    ['the queue, with no Error', { queue: { send: () => Promise.reject('no') } }, 'QUEUE_UNAVAILABLE'],
  ] as const)('answers 503 with Retry-After: %s', async (_, overrides, line) => {
    const { post, lines, counts, text } = ingest(overrides);
    const answer = await post(signed('{"to":"+12025550143"}'));
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
    expect(lines.map(({ name }) => name)).toEqual([line]);
    expect(counts.get('unavailable')).toBe(1);
    expect(text()).not.toMatch(/2025550143|whsec|detail/);
  });
});

it('ingest accepts any request if the contract requires no signature', async () => {
  const { post, sent, signals } = ingest({
    hasNoSecret: true,
    park: 'always',
    verify: createVerifier({ scheme: 'none', anyoneMayPost: true }, postedJson),
  });
  expect(await post({ body: '{}' })).toMatchObject({ statusCode: 200 });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.unverified).toBeUndefined();
  expect(signals).toEqual([]);
});
