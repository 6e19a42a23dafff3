import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier } from '../../../../contract/signature/verify.ts';
import type { WebhookRequest } from '../../../../contract/signature/webhook-request.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../support/property.ts';

const url = 'https://example.test/webhooks/sms';
const now = Date.UTC(2026, 0, 15, 12);
const standard = shippedContract.webhook.signature;
if (standard.scheme !== 'hmac') throw new Error('the shipped contract is hmac');
const verifyStandard = createVerifier(standard, postedJson);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function signed(overrides: Partial<WebhookRequest> = {}, at = now, key = secret): WebhookRequest {
  const body = Buffer.from('{"type":"sms.status"}');
  return {
    body,
    url,
    headers: signRequest(standard, { body, id: 'evt_1', now: at, url }, key),
    ...overrides,
  };
}

describe('published vectors', () => {
  it('accepts what the reference library signs, and the library accepts what signRequest signs', () => {
    const library = new Webhook(secret);
    const body = '{"a":1}';
    const headers = {
      'webhook-id': 'm1',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': library.sign('m1', new Date(now), body),
    };
    expect(verifyStandard({ headers, body: Buffer.from(body), url }, [secret], now).kind).toBe('verified');
    const ours = signRequest(standard, { body: Buffer.from(body), id: 'm1', now, url }, secret);
    expect(ours).toEqual(headers);
  });
});

describe('hmac scheme', () => {
  it('reads a secret without the prefix as text', () => {
    expect(verifyStandard(signed({}, now, 'plain text'), ['plain text'], now).kind).toBe('verified');
    const key = Buffer.from('plain text');
    const content = `evt_1.${now / 1000}.{"type":"sms.status"}`;
    expect(signed({}, now, 'plain text').headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(content).digest('base64')}`,
    );
  });

  it.each<[string, string | undefined, string]>([
    ['webhook-signature', undefined, 'signature-missing'],
    ['webhook-signature', '', 'signature-missing'],
    ['webhook-id', undefined, 'signature-missing'],
    ['webhook-id', '', 'signature-missing'],
    // Standard Webhooks: an id must not contain a full stop, because one separates it from the time in the signed content.
    ['webhook-id', 'evt.1', 'signed-content-ambiguous'],
    ...['1e9', '-1', '', ' 1768478400', '1768478400.0', '0x696', '９', '1'.repeat(16)].map(
      (timestamp): [string, string, string] => ['webhook-timestamp', timestamp, 'timestamp-invalid'],
    ),
  ])('rejects a request with %s: %j', (name, value, reason) => {
    const headers = { ...signed().headers, [name]: value };
    expect(verifyStandard(signed({ headers }), [secret], now)).toEqual({ kind: 'rejected', reason });
  });

  it('reads timestamps in milliseconds if the contract says so', () => {
    const time = { header: 't', unit: 'milliseconds', toleranceSeconds: 1 } as const;
    const scheme = { ...standard, timestamp: { ...time, prefix: '', separator: null } };
    const body = Buffer.from('x');
    const headers = signRequest(scheme, { body, id: 'i', now, url }, secret);
    expect(headers.t).toBe(String(now));
    expect(createVerifier(scheme, postedJson)({ body, url, headers }, [secret], now + 1000).kind).toBe(
      'verified',
    );
    expect(createVerifier(scheme, postedJson)({ body, url, headers }, [secret], now + 1001).kind).toBe(
      'rejected',
    );
  });

  it('signs the URL and headers that the template names', () => {
    const signedContent = '{url}|{header:X-Nonce}|{body}';
    const scheme = { ...standard, signedContent, id: null, timestamp: null, separator: null };
    const body = Buffer.from('x');
    const headers = {
      ...signRequest(scheme, { body, id: '', now, url, headers: { 'X-Nonce': 'n' } }, secret),
      'x-nonce': 'n',
    };
    const verify = createVerifier(scheme, postedJson);
    expect(verify({ body, url, headers }, [secret], now)).toEqual({ kind: 'verified', signedId: undefined });
    expect(verify({ body, url: `${url}?a`, headers }, [secret], now).kind).toBe('rejected');
    expect(verify({ body, url, headers: { ...headers, 'x-nonce': 'm' } }, [secret], now).kind).toBe(
      'rejected',
    );
    expect(() => signRequest(scheme, { body, id: '', now, url }, secret)).toThrow(
      /lacks a header that is named in signedContent/,
    );
  });
});

describe('a secret that is not written as the contract requires', () => {
  const inHex = { ...standard, secret: { encoding: 'hex', prefix: '' } } as const;
  const forged = (scheme: typeof standard & { scheme: 'hmac' }, key: Uint8Array) => {
    const body = Buffer.from('{}');
    const signature = createHmac('sha256', key)
      .update(`evt.${now / 1000}.{}`)
      .digest('base64');
    const headers = {
      'webhook-id': 'evt',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': `v1,${signature}`,
    };
    return (text: string) =>
      createVerifier(scheme, postedJson)({ body, url, headers }, [text], now).kind === 'verified';
  };

  it('is not a key, although decoders make an empty or short one of it', () => {
    for (const text of ['sk_live_9f8e', '', 'zz']) expect(forged(inHex, Buffer.alloc(0))(text)).toBe(false);
    expect(forged(inHex, Buffer.from('ab', 'hex'))('ab-cdef0123')).toBe(false);
    for (const text of ['whsec_', 'whsec_***', 'whsec_='])
      expect(forged(standard, Buffer.alloc(0))(text)).toBe(false);
    expect(() => signRequest(inHex, { body: Buffer.from(''), id: 'i', now, url }, 'sk_live')).toThrow(
      /not written in hex/,
    );
  });

  it('may be spelled in capitals, without padding or in the URL alphabet', () => {
    expect(forged(inHex, Buffer.from('abcd', 'hex'))('ABCD')).toBe(true);
    expect(forged(standard, Buffer.from('fffe', 'hex'))('whsec_//4=')).toBe(true);
    expect(forged(standard, Buffer.from('fffe', 'hex'))('whsec___4')).toBe(true);
  });
});

describe('a signature in hexadecimal digits', () => {
  const scheme = {
    ...standard,
    encoding: 'hex',
    header: 'x-signature',
    prefix: '',
    separator: null,
    signedContent: '{body}',
    id: null,
    timestamp: null,
    secret: { encoding: 'utf8' as const, prefix: '' },
  } as const;
  const body = Buffer.from('{"a":1}');

  // Vonage publishes signatures in capitals, and its own SDK lower-cases before it compares.
  it.each(['hex', 'hex-upper'] as const)('is accepted in either case, and no other: %s', (encoding) => {
    const { 'x-signature': signature = '' } = signRequest(
      { ...scheme, encoding },
      { body, id: 'i', now, url },
      'secret',
    );
    const accepts = (text: string) =>
      createVerifier({ ...scheme, encoding }, postedJson)(
        { body, url, headers: { 'x-signature': text } },
        ['secret'],
        now,
      ).kind === 'verified';
    expect([signature, signature.toUpperCase(), signature.toLowerCase()].map(accepts)).toEqual([
      true,
      true,
      true,
    ]);
    expect(signature.toUpperCase()).not.toBe(signature.toLowerCase());
    expect([` ${signature}`, signature.slice(1), signature.replace(/[a-f]/i, 'g')].map(accepts)).toEqual([
      false,
      false,
      false,
    ]);
  });
});

it('the hmac scheme does not let bytes move between the id and the body', () => {
  const body = Buffer.from(`${now / 1000 + 100}.[]`);
  const signature = signRequest(standard, { body, id: 'm', now, url }, secret)['webhook-signature'];
  const headers = {
    'webhook-id': `m.${now / 1000}`,
    'webhook-timestamp': String(now / 1000 + 100),
    'webhook-signature': signature,
  };
  const moved = verifyStandard({ body: Buffer.from('[]'), url, headers }, [secret], now);
  expect(moved).toEqual({ kind: 'rejected', reason: 'signed-content-ambiguous' });
});

describe('token and none', () => {
  it('accept any request if the contract requires no signature', () => {
    const scheme = { scheme: 'none', anyoneMayPost: true } as const;
    expect(createVerifier(scheme, postedJson)({ body: Buffer.from(''), url, headers: {} }, [], now)).toEqual({
      kind: 'verified',
      signedId: undefined,
    });
    expect(signRequest(scheme, { body: Buffer.from(''), id: '', now, url }, '')).toEqual({});
  });
});

describe('properties', () => {
  it('a request with one altered byte never verifies', () => {
    const fields = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
    assertProperty(
      fc.property(
        fc.uint8Array({ minLength: 1 }),
        fc.stringMatching(/^[a-z0-9_]{1,20}$/),
        fc.constantFrom(...fields),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (body, id, field, position, flip) => {
          const headers = signRequest(standard, { body, id, now, url }, secret);
          const bytes = field === 'body' ? Buffer.from(body) : Buffer.from(headers[field] ?? '', 'latin1');
          const index = position % bytes.length;
          bytes[index] = (bytes[index] ?? 0) ^ flip;
          const request =
            field === 'body'
              ? { body: bytes, url, headers }
              : { body, url, headers: { ...headers, [field]: bytes.toString('latin1') } };
          expect(verifyStandard(request, [secret], now).kind).toBe('rejected');
        },
      ),
      { numRuns: 1000 },
    );
  });
});
