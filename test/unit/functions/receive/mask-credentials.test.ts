import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { matchesMasked } from '../../../../contract/signature/webhook-request.ts';
import { type HeaderKnowledge, maskCredentials } from '../../../../functions/receive/captured-requests.ts';

const nothing: HeaderKnowledge = { credentials: [], signatures: [], secrets: [] };
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object) => `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.c2lnbmF0dXJl`;

const receivedAt = Date.UTC(2026, 0, 15, 12);
const request = {
  url: 'https://example.test/webhooks/sms',
  body: Buffer.from('{"id":1}'),
  requestId: 'salt',
  receivedAt,
};
const digest = (content: string | Uint8Array, encoding: 'hex' | 'base64url') =>
  createHash('sha256').update(content).digest(encoding);
const jwt = token({ payload_hash: digest(request.body, 'hex') });
const seconds = receivedAt / 1000;

/** One header as it is kept. */
function kept(name: string, value: string, knowledge: Partial<HeaderKnowledge> = {}): string {
  const headers = maskCredentials({ ...request, headers: { [name]: value } }, { ...nothing, ...knowledge });
  return headers[name.toLowerCase()] ?? 'none';
}

describe('a header with a credential is masked, and only a holder of the credential can recognise it', () => {
  it.each([
    ['Authorization', 'Basic dXNlcjpwYXNz'],
    ['authorization', 'Bearer opaque.text'],
    ['authorization', 'Token abc'],
    ['authorization', 'abc'],
    ['Proxy-Authorization', 'Basic dXNlcjpwYXNz'],
    ['Cookie', 'session=1'],
    ['X-Api-Key', 'abc'],
    ['x-api_key', 'abc'],
    ['X-Webhook-Token', 'abc'],
    ['x-shared-secret', 'abc'],
    ['x-password', 'abc'],
    ['x-credentials', 'abc'],
    ['x-access-key', 'abc'],
    ['ocp-apim-subscription-key', 'abc'],
    ['x-passphrase', 'abc'],
    ['x-auth', 'abc'],
    ['authorization', 'apikey=abc'],
    ['authorization', 'OAuth oauth_consumer_key="a", oauth_signature="abc"'],
    ['x-api-key', 'sig_live_abc'],
    ['x-signing-secret', 'abc'],
    ['x-webhook-secret', 'v1=abc'],
    ['x-access-token', `${part({ alg: 'HS256' })}.${part({ sub: 'a' })}.abc`],
    ['x-api-key', 'id=7;key=abc'],
    ['Authentication', 'Basic dXNlcjpwYXNz'],
    ['Set-Cookie', 'a=b'],
    ['authorization', `Bearer ${part({ typ: 'JWT' })}.${part({})}.x`],
    ['authorization', `Bearer ${part('alg')}.${part({})}.x`],
    ['authorization', `Bearer ${part(null)}.${part({})}.x`],
    ['authorization', `Bearer ${jwt}.x`],
    ['authorization', `Bearer ${token({ exp: seconds + 3601 })}`],
    ['authorization', `Bearer ${token({ iat: seconds })}`],
    ['x-jwt', token({ exp: null })],
    ['x-jwt', token({ exp: 3600 })],
    ['x-jwt', token({ exp: seconds - 86_400 })],
    ['x-jwt', token({ exp: String(seconds) })],
    ['x-jwt', token({ payload_hash: digest('another body', 'hex') })],
    ['x-jwt', token({ passwordhash: 'x' })],
    ['x-jwt', token({ url_hash: digest(request.url, 'hex') })],
    ['x-signature', token({ exp: seconds + 86_400 })],
    ['x-signature-jwt', token({ iat: seconds })],
    ['x-id', token({})],
    ['authorization', `Bearer ${jwt}, Basic dXNlcjpwYXNz`],
    ['authorization', `Basic dXNlcjpwYXNz ${jwt}`],
    ['X-Authorization', 'abc'],
    ['X-Original-Authorization', 'Basic dXNlcjpwYXNz'],
    ['X-Forwarded-Authorisation', 'abc'],
    ['X-Auth-Value', 'abc'],
    ['webhook_auth_value', 'abc'],
    ['X-WebhookAuth', 'abc'],
    ['X-Authz', 'abc'],
    ['X-OAuth', 'abc'],
    ['X-Bearer', 'abc'],
    ['X-Update-Auth', 'abc'],
    ['X-Candidate-Auth-Value', 'abc'],
    ['X-Runtime-Auth', 'abc'],
    ['X-Session', 'abc'],
    ['X-JWT', 'abc'],
    ['X-Auth-Value', 'v=abc'],
    ['X-From', 'Bearer abc'],
    ['X-From', 'bearer  abc'],
    ['X-From', 'Basic dXNlcjpwYXNz'],
    ['X-From', 'ApiKey abc'],
    ['X-From', 'api-key: abc'],
    ['X-From', 'apikey=abc'],
    ['X-From', 'Token token=abc'],
    ['X-Timestamp', 'Bearer abc'],
  ])('%s: %s', (name, value) => {
    const masked = kept(name, value);
    expect(masked).toMatch(/^masked:salt:[0-9a-f]{64}$/);
    expect([matchesMasked(masked, value), matchesMasked(masked, `${value} `)]).toEqual([true, false]);
  });

  it('even if the contract, which may be wrong, reads it as a signature', () => {
    const signatures = ['authorization'];
    expect(kept('authorization', 'Basic dXNlcjpwYXNz', { signatures })).toContain('masked:');
    expect(kept('authorization', 'Bearer opaque', { signatures })).toContain('masked:');
  });

  it('if the contract names it as a credential, under any name', () => {
    expect(kept('X-From', 'abc', { credentials: ['x-from'] })).toContain('masked:');
  });

  it('if it contains a known secret, also in base64 and in a signature header', () => {
    const knowledge = { secrets: ['user:pass', 'old-secret'], signatures: ['x-signature'] };
    expect(kept('x-any', 'key=old-secret;', knowledge)).toContain('masked:');
    expect(kept('x-any', 'dXNlcjpwYXNz', knowledge)).toContain('masked:');
    expect(kept('X-Signature', 'old-secret', knowledge)).toContain('masked:');
    expect(kept('x-any', 'another', knowledge)).toBe('another');
  });
});

describe('a header that later verification needs is kept unchanged', () => {
  it.each([
    ['X-Twilio-Signature', 'abc='],
    ['webhook-id', 'evt_1'],
    ['x-auth-signature', 'abc'],
    ['x-relay-auth', 'at=1768478405;sig=abc'],
    ['authorization', 'HMAC-SHA256 abc'],
    ['authorization', 'Signature keyId="a",signature="abc"'],
    ['x-webhook-jwt', jwt],
    ['x-webhook-token', jwt],
    ['x-jwt', token({ exp: seconds + 3600 })],
    ['x-signature', token({ body: digest(request.body, 'base64url') })],
    ['x-secret-hmac', 'abc'],
    ['x-token-sign', 'abc'],
    ['x-token', 't=1768478405,v1=abc'],
    ['x-auth', 'ts=1768478405;h=abc'],
    ['x-monkey', 'abc'],
    ['authorization', `Bearer ${jwt}`],
    ['Authorization', jwt],
    ['content-type', 'application/json'],
    ['X-Auth-Timestamp', '1768478405'],
    ['X-Auth-Date', '2026-01-15T12:00:05Z'],
    ['X-Auth-Nonce', 'abc'],
    ['X-Auth-Version', '1'],
    ['X-Auth-Algorithm', 'HMAC-SHA256'],
    ['X-Auth-Id', 'abc'],
    ['X-Authorization-Signature', 'abc'],
    ['X-Authentication-Hash', 'abc'],
    ['X-Authorization', 'Signature keyId="a",signature="abc"'],
    ['X-Authorization', `Bearer ${jwt}`],
    ['X-From', `Bearer ${jwt}`],
    ['X-Signature', 'Token abc'],
    ['X-Author', 'abc'],
    ['X-Plan', 'Basic, for a year'],
    ['user-agent', 'Basic-Client/1.0'],
  ])('%s: %s', (name, value) => {
    expect(kept(name, value)).toBe(value);
  });

  it('if the contract names it as part of the signature, under any name', () => {
    expect(kept('X-Token-Hash', 'abc', { signatures: ['x-token-hash'] })).toBe('abc');
  });
});

it('a received value is never accepted as masked: it would match for a reader of the masked form', () => {
  const seen = kept('authorization', 'Basic dXNlcjpwYXNz');
  for (const name of ['authorization', 'x-any', 'x-signature']) {
    const masked = kept(name, seen);
    expect(matchesMasked(masked, 'Basic dXNlcjpwYXNz')).toBe(false);
    expect(matchesMasked(masked, seen)).toBe(true);
  }
});

it('a token with a hash of the URL is kept of a GET, which has no body', () => {
  const value = token({ url_hash: digest(request.url, 'hex') });
  const get = { ...request, method: 'GET', body: Buffer.of(), headers: { 'x-jwt': value } };
  expect(maskCredentials(get, nothing)).toEqual({ 'x-jwt': value });
});

it('kept header names are in lower case, the later of two that differ in case counts, and no name is special', () => {
  const headers = JSON.parse('{"A":"1","a":"2","__proto__":"3"}');
  const masked = maskCredentials(
    { ...request, headers: { ...headers, ['__proto__']: '3', b: undefined } },
    nothing,
  );
  expect(Object.entries(masked)).toEqual([
    ['a', '2'],
    ['__proto__', '3'],
    ['b', ''],
  ]);
});
