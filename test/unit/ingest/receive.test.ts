import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../functions/core/envelope.ts';
import { signRequest } from '../../../functions/core/signature/sign.ts';
import { createVerifier } from '../../../functions/core/signature/verify.ts';
import { maximumBodyBytes, type ReceiveDependencies, receive } from '../../../functions/ingest/receive.ts';
import type { SecretCache } from '../../../functions/ingest/secret-cache.ts';
import { shippedContract } from '../../support/contracts.ts';
import { httpApiEvent, type RequestParts } from '../../support/http-api-event.ts';
import { recorder } from '../../support/recorder.ts';

const now = Date.UTC(2026, 0, 15, 12, 0, 5);
const url = 'https://example.test/webhooks/sms';
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const scheme = shippedContract.webhook.signature;

const unregistered: SecretCache = { accepted: async () => undefined, reread: async () => undefined };
const stored = (...secrets: string[]): SecretCache => ({
  accepted: async () => secrets,
  reread: async () => undefined,
});

function pipeline(overrides: Partial<ReceiveDependencies> = {}) {
  const sent: Envelope[] = [];
  const { log, count, ...recorded } = recorder();
  const dependencies: ReceiveDependencies = {
    verify: createVerifier(scheme),
    secrets: stored(secret),
    queue: { send: async (envelope) => void sent.push(envelope) },
    clock: () => now,
    log,
    count,
    webhookUrl: url,
    acknowledgeStatus: 200,
    ...overrides,
  };
  return { sent, ...recorded, post: (parts: RequestParts) => receive(httpApiEvent(parts), dependencies) };
}

function signed(body: string | Buffer, key = secret): RequestParts & { headers: Record<string, string> } {
  const bytes = Buffer.from(body);
  const text = typeof body === 'string' ? { body } : { body: body.toString('base64'), isBase64Encoded: true };
  return { ...text, headers: signRequest(scheme, { body: bytes, id: 'evt_1', now, url }, key) };
}

const failing: () => Promise<never> = async () => {
  throw Object.assign(new Error('secret detail +12025550143'), { name: 'TimeoutError' });
};

describe('a genuine request', () => {
  it('is queued byte for byte and acknowledged with its id', async () => {
    const { post, sent, lines } = pipeline();
    const answer = await post(signed('{"type": "sms.status"}'));
    expect(answer).toMatchObject({ statusCode: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(answer.body ?? '')).toEqual({ id: 'req-1' });
    expect(sent).toEqual([
      {
        requestId: 'req-1',
        receivedAt: '2026-01-15T12:00:05.000Z',
        signedId: 'evt_1',
        body: Buffer.from('{"type": "sms.status"}'),
      },
    ]);
    expect(lines).toEqual([]);
  });

  it("is acknowledged with the contract's status", async () => {
    expect(await pipeline({ acknowledgeStatus: 204 }).post(signed('{}'))).toMatchObject({ statusCode: 204 });
  });

  it('may be binary, without a body, or no JSON at all: the body is not parsed', async () => {
    const { post, sent } = pipeline();
    const bytes = Buffer.from([0, 255, 254, 13, 10]);
    expect(await post(signed(bytes))).toMatchObject({ statusCode: 200 });
    expect(sent[0]?.body).toEqual(bytes);
    const { body, ...bodyless } = signed('');
    expect(await post(bodyless)).toMatchObject({ statusCode: 200 });
    expect(sent[1]?.body).toHaveLength(0);
    expect(await post(signed('not json \ud83d\ude00'))).toMatchObject({ statusCode: 200 });
  });

  it('may be as large as the limit and not a byte larger', async () => {
    const { post, sent, counts } = pipeline();
    expect(await post(signed(Buffer.alloc(maximumBodyBytes, 'a')))).toMatchObject({ statusCode: 200 });
    expect(await post(signed('a'.repeat(maximumBodyBytes)))).toMatchObject({ statusCode: 200 });
    expect(await post(signed(Buffer.alloc(maximumBodyBytes + 1, 'a')))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('a'.repeat(maximumBodyBytes + 1)))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('é'.repeat(maximumBodyBytes / 2 + 1)))).toMatchObject({ statusCode: 413 });
    expect(await post(signed('a'.repeat(2 * maximumBodyBytes)))).toMatchObject({ statusCode: 413 });
    expect(sent).toHaveLength(2);
    expect(counts.get('rejectedTooLarge')).toBe(4);
  });

  it('is verified over the URL the service was given, with the query it was called with', async () => {
    if (scheme.scheme !== 'hmac') throw new Error('the shipped contract is hmac');
    const overUrl = { ...scheme, signedContent: '{url}.{body}', timestamp: null, id: null };
    const { post, sent } = pipeline({ verify: createVerifier(overUrl) });
    const headers = signRequest(overUrl, { body: Buffer.from('{}'), id: '', now, url: `${url}?a=1` }, secret);
    expect(await post({ headers, body: '{}', rawQueryString: 'a=1' })).toMatchObject({ statusCode: 200 });
    expect(await post({ headers, body: '{}' })).toMatchObject({ statusCode: 401 });
    expect(sent).toMatchObject([{ requestId: 'req-1' }]);
    expect(sent[0]).not.toHaveProperty('signedId');
  });
});

describe('a request that is not proven', () => {
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
  ] as const)('is refused: %s', async (_, request, reason, metric) => {
    const { post, sent, lines, counts } = pipeline();
    const answer = await post(request);
    expect(answer).toMatchObject({ statusCode: 401 });
    expect(answer.body).not.toContain(reason);
    expect(sent).toEqual([]);
    expect(lines).toEqual([{ name: 'REQUEST_REJECTED', fields: { reason } }]);
    expect(counts.get(metric)).toBe(1);
    expect(counts.get('rejected')).toBe(1);
  });

  it('is verified once more with a secret that was just stored', async () => {
    const { post, sent } = pipeline({
      secrets: { accepted: async () => ['whsec_b2xk'], reread: async () => [secret] },
    });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(await post(signed('{}', 'whsec_Zm9yZ2Vk'))).toMatchObject({ statusCode: 401 });
    expect(sent).toHaveLength(1);
  });

  it('causes no reading of the secret where no secret could help', async () => {
    const { post } = pipeline({ secrets: { accepted: failing, reread: failing } });
    expect(await post({ body: '{}' })).toMatchObject({ statusCode: 401 });
  });

  it('is answered 405 by any other method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD'])
      expect(await pipeline().post({ ...signed('{}'), method })).toMatchObject({
        statusCode: 405,
        headers: { allow: 'POST' },
      });
  });
});

describe('a fault of ours', () => {
  it.each([
    ['the queue', { queue: { send: failing } }, 'QUEUE_UNAVAILABLE'],
    ['the secret store', { secrets: { accepted: failing, reread: failing } }, 'SECRET_UNAVAILABLE'],
    [
      'the secret store on a mismatch',
      { secrets: { accepted: async () => ['whsec_b2xk'], reread: failing } },
      'SECRET_UNAVAILABLE',
    ],
    ['registration', { secrets: unregistered }, 'SECRET_NOT_REGISTERED'],
    ['the queue, with no Error', { queue: { send: () => Promise.reject('no') } }, 'QUEUE_UNAVAILABLE'],
  ] as const)('is answered 503 with Retry-After: %s', async (_, overrides, line) => {
    const { post, lines, counts, text } = pipeline(overrides);
    const answer = await post(signed('{"to":"+12025550143"}'));
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
    expect(lines.map(({ name }) => name)).toEqual([line]);
    expect(counts.get('unavailable')).toBe(1);
    expect(text()).not.toMatch(/2025550143|whsec|detail/);
  });
});

it('takes anything where the contract asks for no signature', async () => {
  const { post, sent } = pipeline({
    secrets: undefined,
    verify: createVerifier({ scheme: 'none', anyoneMayPost: true }),
  });
  expect(await post({ body: '{}' })).toMatchObject({ statusCode: 200 });
  expect(sent).toHaveLength(1);
});
