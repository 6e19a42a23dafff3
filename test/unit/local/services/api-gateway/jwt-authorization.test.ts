import type { webcrypto } from 'node:crypto';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Authorized } from '../../../../../local/services/api-gateway/api.ts';
import {
  authorizeByToken,
  type Issuers,
} from '../../../../../local/services/api-gateway/jwt-authorization.ts';

const issuer = 'https://sign-in.test/pool';
const now = Date.UTC(2026, 0, 15, 12);
const seconds = now / 1000;

let issuers: Issuers;
let privateKey: webcrypto.CryptoKey;
let otherKey: webcrypto.CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), alg: 'RS256' }] });
  issuers = async () => keys;
  privateKey = pair.privateKey;
  ({ privateKey: otherKey } = await generateKeyPair('RS256'));
});

const usual = {
  iss: issuer,
  sub: 'user-1',
  client_id: 'console',
  scope: 'openid',
  exp: seconds + 60,
  'cognito:groups': ['support', 'viewer'],
};

const signed = (claims: Record<string, unknown> = {}, key = privateKey) =>
  new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'RS256' }).sign(key);

async function authorized(token: string, scopes = ['openid']): Promise<Authorized> {
  const authorize = authorizeByToken({ issuer, audience: ['console'], scopes }, issuers);
  return authorize({ authorization: `Bearer ${token}` }, now);
}

const statusOf = (answer: Authorized) => (answer.kind === 'rejected' ? answer.answer.status : 200);

describe('a JWT authorizer', () => {
  it('passes the claims on as texts, a list in brackets', async () => {
    expect(await authorized(await signed())).toEqual({
      kind: 'authorized',
      authorizer: {
        jwt: {
          claims: { ...usual, exp: String(usual.exp), 'cognito:groups': '[support viewer]' },
          scopes: ['openid'],
        },
      },
    });
  });

  it('accepts a token whose audience is the client, in place of its client_id', async () => {
    const token = await signed({ client_id: 'other', aud: ['console'] });
    expect(statusOf(await authorized(token))).toBe(200);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['of another issuer', () => signed({ iss: 'https://sign-in.test/other' })],
    ['that has expired', () => signed({ exp: seconds - 1 })],
    ['that is not valid yet', () => signed({ nbf: seconds + 60 })],
    ['that never expires', () => signed({ exp: undefined })],
    ['of another client', () => signed({ client_id: 'other' })],
    ['for another audience', () => signed({ aud: 'other' })],
    ['without a signature', () => new UnsecuredJWT(usual).encode()],
    ['signed by another key', () => signed({}, otherKey)],
    [
      'signed with a shared secret',
      () => new SignJWT(usual).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32)),
    ],
    ['that is none', () => 'abc'],
    ['that is missing', () => ''],
  ])('answers 401 to a token %s', async (_, token) => {
    expect(statusOf(await authorized(await token()))).toBe(401);
  });

  it('answers 403 to a token without a scope of the route', async () => {
    expect(statusOf(await authorized(await signed({ scope: 'email' })))).toBe(403);
    expect(statusOf(await authorized(await signed({ scope: undefined }), []))).toBe(200);
  });
});
