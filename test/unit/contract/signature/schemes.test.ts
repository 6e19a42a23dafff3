import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import { requestReader } from '../../../../contract/signature/request-reader.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { compileSignedContent } from '../../../../contract/signature/signed-content.ts';
import { createVerifier, headersRead, isUsableSecret } from '../../../../contract/signature/verify.ts';
import { maskCredential } from '../../../../contract/signature/webhook-request.ts';
import { assertProperty } from '../../../support/property.ts';

const url = 'https://example.test/webhooks/sms?tenant=7';
const now = Date.UTC(2026, 0, 15, 12);
const body = Buffer.from('{"status":"delivered"}');
const schemeOf = (json: z.input<typeof signature>) => signature.parse(json);

const pem = ({ publicKey, privateKey }: ReturnType<typeof generateKeyPairSync>) => ({
  stored: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  signing: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
});
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }));
const ec = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
const ed25519 = pem(generateKeyPairSync('ed25519'));
const text = { stored: 'a shared secret', signing: 'a shared secret' };

const timed = {
  header: 'X-Signature',
  encoding: 'base64',
  signedContent: '{timestamp}|{body}',
  timestamp: { header: 'X-Timestamp', unit: 'seconds', toleranceSeconds: 300 },
} as const;
const token = {
  scheme: 'jwt',
  header: 'Authorization',
  prefix: 'Bearer ',
  payloadHash: { claim: 'payload_hash' },
  urlHash: { claim: 'url_hash', encoding: 'base64url' },
  id: { claim: 'jti' },
  timestamp: { claim: 'iat', toleranceSeconds: 300 },
} as const;

const publicKeys = [
  ['ed25519', ed25519],
  ['rsa-sha1', rsa],
  ['rsa-sha256', rsa],
  ['rsa-sha512', rsa],
  ['ecdsa-sha256', ec],
] as const;

const tokens = [
  ['HS256', text],
  ['HS384', text],
  ['HS512', text],
  ['RS256', rsa],
  ['RS384', rsa],
  ['RS512', rsa],
  ['ES256', ec],
  ['EdDSA', ed25519],
] as const;

const schemes = [
  ...publicKeys.map(([algorithm, keys]) => ({
    name: algorithm,
    scheme: schemeOf({ scheme: 'public-key', algorithm, ...timed }),
    keys,
  })),
  {
    name: 'a composite header',
    scheme: schemeOf({
      ...timed,
      scheme: 'hmac',
      algorithm: 'sha512',
      encoding: 'hex',
      header: 'X-Signature',
      prefix: 's=',
      separator: ',',
      secret: { encoding: 'utf8' },
      timestamp: { ...timed.timestamp, header: 'X-Signature', prefix: 't=', separator: ',' },
    }),
    keys: text,
  },
  {
    name: 'a hash over the secret',
    scheme: schemeOf({
      ...timed,
      scheme: 'hash',
      algorithm: 'sha256',
      signedContent: '{timestamp}|{body}|{secret}',
    }),
    keys: text,
  },
  ...tokens.map(([algorithm, keys]) => ({
    name: algorithm,
    scheme: schemeOf({ ...token, algorithm }),
    keys,
  })),
];

describe.each(schemes)('$name', ({ scheme, keys }) => {
  const verify = createVerifier(scheme, postedJson);
  const headers = signRequest(scheme, { body, id: 'evt_1', now, url }, keys.signing);
  const request = { headers, body, url };

  it('accepts a signed request, and rejects a changed one', () => {
    const verdict = verify(request, [keys.stored], now);
    expect(verdict).toEqual({ kind: 'verified', signedId: scheme.scheme === 'jwt' ? 'evt_1' : undefined });
    expect(verify({ ...request, body: Buffer.from(`${body} `) }, [keys.stored], now)).toEqual({
      kind: 'rejected',
      // A token that holds the hash of another body is none of this request, whatever the secret.
      reason: scheme.scheme === 'jwt' ? 'signature-missing' : 'signature-mismatch',
    });
    for (const key of [ed25519, rsa, ec, text].filter((other) => other !== keys))
      expect(verify(request, [key.stored], now).kind).toBe('rejected');
    expect(verify(request, [], now).kind).toBe('rejected');
    expect(verify(request, ['', 'no key at all', '-----BEGIN PUBLIC KEY-----'], now).kind).toBe('rejected');
    expect(verify(request, ['no key at all', keys.stored], now).kind).toBe('verified');
  });

  it('rejects a request outside its replay window', () => {
    for (const inTime of [now + 300_000, now - 300_000])
      expect(verify(request, [keys.stored], inTime).kind).toBe('verified');
    for (const late of [now + 300_001, now - 300_001])
      expect(verify(request, [keys.stored], late)).toEqual({
        kind: 'rejected',
        reason: 'timestamp-outside-window',
      });
  });

  it('lists its headers, and recognises a usable secret', () => {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    expect([...headersRead(scheme)].sort()).toEqual(names.sort());
    expect(isUsableSecret(scheme, keys.stored)).toBe(true);
    expect(isUsableSecret(scheme, '')).toBe(false);
  });
});

describe('public keys', () => {
  it('are read as in RFC 8032: 32 bytes, in hex or base64, and verify its second test vector', () => {
    const key = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex');
    const signatureHex =
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
    const scheme = schemeOf({
      scheme: 'public-key',
      algorithm: 'ed25519',
      encoding: 'hex',
      header: 'x-signature',
      signedContent: '{body}',
    });
    const request = { headers: { 'x-signature': signatureHex }, body: Buffer.from([0x72]), url };
    for (const secret of [key.toString('hex'), key.toString('base64')])
      expect(createVerifier(scheme, postedJson)(request, [secret], now).kind).toBe('verified');
  });
});

describe('JWT', () => {
  const scheme = schemeOf({ ...token, algorithm: 'HS256', urlHash: null });
  const verify = createVerifier(scheme, postedJson);
  const claims = {
    iat: now / 1000,
    jti: 'j1',
    payload_hash: createHash('sha256').update(body).digest('hex'),
  };
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const made = (payload: object, head: object = { alg: 'HS256' }, key = 'k') => {
    const content = `${encode(head)}.${encode(payload)}`;
    return `Bearer ${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
  };
  const verdictOf = (authorization: string, at = now) =>
    verify({ headers: { authorization }, body, url }, ['k'], at);

  it('is accepted with any other claims', () => {
    expect(verdictOf(made({ ...claims, iss: 'another', exp: now / 1000 + 60 }))).toEqual({
      kind: 'verified',
      signedId: 'j1',
    });
  });

  it('may have another algorithm or must have an issuer, if the contract says so', () => {
    const strict = createVerifier(
      schemeOf({ ...token, algorithm: 'HS512', otherAlgorithms: ['HS256'], urlHash: null, issuer: 'us' }),
      postedJson,
    );
    const kindOf = (payload: object) =>
      strict({ headers: { authorization: made(payload) }, body, url }, ['k'], now).kind;
    expect(kindOf({ ...claims, iss: 'us' })).toBe('verified');
    const anyIssuer = createVerifier(
      schemeOf({ ...token, algorithm: 'HS512', otherAlgorithms: ['HS256'], urlHash: null, issuer: null }),
      postedJson,
    );
    const other = { headers: { authorization: made({ ...claims, iss: 'another' }) }, body, url };
    expect(anyIssuer(other, ['k'], now).kind).toBe('verified');
    for (const iss of ['US', '', undefined]) expect(kindOf({ ...claims, iss })).toBe('rejected');
    const mixed = signature.safeParse({ ...token, algorithm: 'RS256', otherAlgorithms: ['HS256'] });
    expect(mixed.error?.issues[0]?.path).toEqual(['otherAlgorithms']);
  });

  it.each([
    ['an algorithm of its own choice', made(claims, { alg: 'HS512' })],
    ['no algorithm', made(claims, { alg: 'none' }).replace(/\.[^.]*$/, '.')],
    ['no header', made(claims, [])],
    ['no hash of the body', made({ ...claims, payload_hash: undefined })],
    ['a hash that is no text', made({ ...claims, payload_hash: 7 })],
    ['four parts', `${made(claims)}.x`],
    ['no JSON', 'Bearer a.b.c'],
    ['another word before it', made(claims).replace('Bearer', 'Token')],
  ])('is rejected with %s', (_, authorization) => {
    expect(verdictOf(authorization)).toEqual({ kind: 'rejected', reason: 'signature-missing' });
  });

  it('is a mismatch only with another key: only then could another secret match', () => {
    const authorization = made(claims, { alg: 'HS256' }, 'other');
    expect(verdictOf(authorization)).toEqual({ kind: 'rejected', reason: 'signature-mismatch' });
  });

  it.each([
    ['without its time', { ...claims, iat: undefined }, 'timestamp-invalid'],
    ['with a time that is a text', { ...claims, iat: '2026' }, 'timestamp-invalid'],
    ['that has expired', { ...claims, exp: now / 1000 - 300 }, 'timestamp-outside-window'],
    ['that is not valid yet', { ...claims, nbf: now / 1000 + 301 }, 'timestamp-outside-window'],
    ['whose end is a text', { ...claims, exp: 'soon' }, 'timestamp-invalid'],
  ])('is rejected %s', (_, payload, reason) => {
    expect(verdictOf(made(payload))).toEqual({ kind: 'rejected', reason });
  });

  it('is rejected if it was made with the public key as a shared secret', () => {
    const verifyRsa = createVerifier(schemeOf({ ...token, algorithm: 'RS256', urlHash: null }), postedJson);
    for (const alg of ['HS256', 'RS256']) {
      const authorization = made(claims, { alg }, rsa.stored);
      expect(verifyRsa({ headers: { authorization }, body, url }, [rsa.stored], now).kind).toBe('rejected');
    }
    const content = `${encode({ alg: 'RS256' })}.${encode(claims)}`;
    const authorization = `Bearer ${content}.${sign('sha256', Buffer.from(content), rsa.signing).toString('base64url')}`;
    expect(verifyRsa({ headers: { authorization }, body, url }, [rsa.stored], now).kind).toBe('verified');
  });
});

describe('a token', () => {
  const basic = schemeOf({ scheme: 'token', header: 'Authorization', prefix: 'Basic ', encoding: 'base64' });
  const secret = 'user:pass word';
  const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;

  it('may be basic authentication', () => {
    const verify = createVerifier(basic, postedJson);
    expect(signRequest(basic, { body, id: 'i', now, url }, secret)).toEqual({ Authorization: authorization });
    expect(verify({ headers: { authorization }, body, url }, [secret], now).kind).toBe('verified');
    expect(verify({ headers: { authorization }, body, url }, ['user:other'], now).kind).toBe('rejected');
  });

  it('is not a usable secret if no header can carry it', () => {
    const plain = schemeOf({ scheme: 'token', header: 'x-token' });
    for (const [scheme, text, isUsable] of [
      [plain, 'abc def', true],
      [plain, 'abc ', false],
      [plain, 'a\nb', false],
      [plain, '', false],
      [basic, 'user:', true],
      [basic, 'user', false],
      [basic, ':', false],
    ] as const)
      expect(isUsableSecret(scheme, text), text).toBe(isUsable);
  });

  it('that was masked matches only its own secret, and only where masked values are expected', () => {
    const verify = createVerifier(basic, postedJson);
    const masked = { headers: { authorization: maskCredential(authorization, 'salt') }, body, url };
    expect(verify({ ...masked, masked: true }, [secret], now).kind).toBe('verified');
    expect(verify({ ...masked, masked: true }, ['user:other'], now).kind).toBe('rejected');
    expect(verify(masked, [secret], now).kind).toBe('rejected');
    expect(verify({ headers: { authorization }, body, url, masked: true }, [secret], now).kind).toBe(
      'rejected',
    );
    expect(maskCredential(authorization, 'a')).not.toBe(maskCredential(authorization, 'b'));
  });
});

describe('signed content', () => {
  const values = {
    id: 'i1',
    timestamp: '17',
    url,
    secret: '',
  };
  const requestOf = (of: string | Uint8Array) =>
    requestReader(
      { headers: { 'X-N': 'n1' }, body: Buffer.from(of), url },
      { method: 'POST', bodyFormat: Buffer.from(of).toString().startsWith('{') ? 'json' : 'form' },
    );
  const contentOf = (template: string, of: string | Uint8Array = body) => {
    const content = compileSignedContent(template)(requestOf(of))(values);
    return typeof content === 'string' ? content : Buffer.from(content);
  };

  it('may hold a hash of the body, as bytes or written out', () => {
    const digest = createHash('sha256').update(body).digest();
    expect(contentOf('{timestamp}\n{url}\n{body:sha256}')).toEqual(
      Buffer.concat([Buffer.from(`17\n${url}\n`), digest]),
    );
    expect(contentOf('{body:sha256:hex}')?.toString()).toBe(digest.toString('hex'));
    expect(contentOf('{body:sha1:base64}.{header:x-n}')?.toString()).toBe(
      `${createHash('sha1').update(body).digest('base64')}.n1`,
    );
  });

  it('may hold form parameters, sorted by name and decoded', () => {
    const form = 'To=%2B12025550143&Body=a+b%26c&A=2&A=1&a=';
    expect(contentOf('{url}{form}', form)?.toString()).toBe(`${url}A1A2Bodya b&cTo+12025550143a`);
    expect(contentOf('{form:query}', form)?.toString()).toBe('A=1&A=2&Body=a b&c&To=+12025550143&a=');
  });

  it('rejects a query in the URL that could take over what follows', () => {
    const content = (template: string, query: string) =>
      compileSignedContent(template)(requestOf(body))({ ...values, url: `https://example.test/a.b${query}` });
    expect(content('{url}?{form}.{header:x-n}', '')).toBeInstanceOf(Uint8Array);
    expect(content('{url}?{form}.{header:x-n}', '?From1Text')).toBe('ambiguous');
    expect(content('{url}.{body}', '?a=b')).toBeInstanceOf(Uint8Array);
    expect(content('{url}.{body}', '?a=b.c')).toBe('ambiguous');
    expect(content('{header:x-other}.{body}', '')).toBe('missing');
  });

  it('does not depend on the order of form parameters', () => {
    const field = fc.tuple(fc.string({ minLength: 1 }), fc.string());
    assertProperty(
      fc.property(fc.array(field), fc.boolean(), (pairs, asQuery) => {
        const template = asQuery ? '{form:query}' : '{form}';
        const written = (list: [string, string][]) =>
          contentOf(template, new URLSearchParams(list).toString());
        expect(written(pairs)).toEqual(written(pairs.toReversed()));
      }),
    );
  });
});

it('a token whose critical extension is not understood is rejected, although it is signed', () => {
  const part = (json: object) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const scheme = signature.parse({
    ...token,
    algorithm: 'HS256',
    payloadHash: null,
    urlHash: null,
    timestamp: null,
  });
  const verdictOf = (head: object) => {
    const content = `${part({ alg: 'HS256', ...head })}.${part({ jti: 'evt_1' })}`;
    const mac = createHmac('sha256', text.stored).update(content).digest('base64url');
    const request = {
      headers: { authorization: `Bearer ${content}.${mac}` },
      body: Buffer.from('{}'),
      url: 'https://example.test/',
    };
    return createVerifier(scheme, postedJson)(request, [text.stored], 0).kind;
  };
  expect(verdictOf({})).toBe('verified');
  expect(verdictOf({ crit: ['b64'], b64: false })).toBe('rejected');
});

it('a key of a pair is no shared secret, however it is written: everyone has the public one', () => {
  const der = rsa.stored.replace(/-----[A-Z ]+-----|\n/g, '');
  const jwk = JSON.stringify({ kty: 'RSA', n: 'AQAB', e: 'AQAB' });
  for (const own of [
    { ...timed, scheme: 'hmac', algorithm: 'sha256', secret: { encoding: 'utf8' } },
    { ...token, algorithm: 'HS256' },
    { ...timed, scheme: 'hash', algorithm: 'sha256', signedContent: '{secret}{timestamp}{body}' },
  ])
    for (const key of [rsa.stored, rsa.stored.toLowerCase(), der, jwk, 'ssh-rsa AAAAB3Nza'])
      expect(isUsableSecret(signature.parse(own), key)).toBe(false);
});

it('no random secret is taken for a key of a pair', () => {
  const hmac = signature.parse({
    ...timed,
    scheme: 'hmac',
    algorithm: 'sha256',
    secret: { encoding: 'base64' },
  });
  for (let made = 0; made < 3000; made++)
    for (const bytes of [24, 32, 64])
      expect(isUsableSecret(hmac, randomBytes(bytes).toString('base64'))).toBe(true);
  expect(isUsableSecret(hmac, 'MPIIv9BG7SUK0hB7BrF8iuVoMNydXJ6sK2ur/ERNPME=')).toBe(true);
});
