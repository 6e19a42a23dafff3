import { describe, expect, it } from 'vitest';
import {
  exchangeRequest,
  grantReader,
  type TokenContract,
} from '../../../../functions/sms-service/session.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';

const { token: shipped } = shippedContract.service;

function contractWith(exchange: Partial<TokenContract['exchange']>): TokenContract {
  return { ...shipped, exchange: { ...shipped.exchange, ...exchange } };
}

describe('exchangeRequest', () => {
  it('puts the key into the body, as the shipped contract says', () => {
    expect(exchangeRequest(shipped, 'the key')).toEqual({
      method: 'POST',
      path: '/v1/auth/token',
      headers: {},
      body: { api_key: 'the key' },
    });
  });

  it('puts the key into a header, with its prefix', () => {
    const contract = contractWith({ apiKey: { in: 'header', name: 'X-Api-Key', prefix: 'Key ' } });
    expect(exchangeRequest(contract, 'k')).toMatchObject({
      headers: { 'X-Api-Key': 'Key k' },
      body: undefined,
    });
  });

  it.each([
    ['/auth', '/auth?key=a%26b'],
    ['/auth?v=2', '/auth?v=2&key=a%26b'],
  ])('puts the key into the query of %s', (path, expected) => {
    const contract = contractWith({ path, apiKey: { in: 'query', name: 'key', prefix: '' } });
    expect(exchangeRequest(contract, 'a&b')).toMatchObject({ path: expected, headers: {}, body: undefined });
  });
});

describe('grantReader', () => {
  it('finds token and lifetime by the expressions of the contract', () => {
    const read = grantReader(contractWith({ accessToken: 'data[0].token', expiresIn: 'data[0].ttl' }));
    expect(read({ data: [{ token: 'abc', ttl: '60' }] })).toEqual({
      kind: 'ok',
      value: { token: 'abc', lifetimeMs: 60_000 },
    });
  });

  it.each([[undefined], [null], [0], [-5], ['soon'], [Number.MAX_VALUE * 10]])(
    "uses the contract's lifetime if the answer says %j",
    (expires_in) => {
      expect(grantReader(shipped)({ access_token: 'abc', expires_in })).toEqual({
        kind: 'ok',
        value: { token: 'abc', lifetimeMs: 300_000 },
      });
    },
  );

  it("uses the contract's lifetime if it names no expression", () => {
    const read = grantReader(contractWith({ expiresIn: null, defaultLifetimeSeconds: 7 }));
    expect(read({ access_token: 'abc', expires_in: 60 })).toMatchObject({ value: { lifetimeMs: 7_000 } });
  });

  it.each([
    [undefined],
    [null],
    [{}],
    [{ access_token: '' }],
    [{ access_token: 7 }],
    [{ access_token: 'a\nb' }],
  ])('finds no token in %j, and says where it looked', (answer) => {
    expect(grantReader(shipped)(answer)).toEqual({
      kind: 'error',
      error: { path: 'access_token', expected: 'expected a token of printable ASCII characters' },
    });
  });

  it('finds no token if an expression fails on the answer', () => {
    const read = grantReader(contractWith({ accessToken: 'token || abs(data)' }));
    expect(read({ data: 'no number' })).toMatchObject({
      kind: 'error',
      error: { path: 'token || abs(data)' },
    });
  });
});
