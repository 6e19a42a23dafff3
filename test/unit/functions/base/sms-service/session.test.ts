import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redacted } from '../../../../../functions/base/sms-service/redact.ts';
import type { Result } from '../../../../../functions/base/sms-service/request.ts';
import {
  createTokenCache,
  exchangeRequest,
  type Grant,
  grantReader,
  type TokenContract,
} from '../../../../../functions/base/sms-service/session.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { assertProperty } from '../../../../support/property.ts';

const refusal: Result<Grant> = {
  kind: 'error',
  error: { kind: 'unauthorized', operation: 'exchange token', status: 401, body: '' },
};

function createCache({ lifetimeMs = 3_600_000, outcomes = [] as Result<Grant>[] } = {}) {
  let now = 0;
  let exchanges = 0;
  const cache = createTokenCache(
    async () => outcomes[exchanges++] ?? { kind: 'ok', value: { token: `token-${exchanges}`, lifetimeMs } },
    () => now,
  );
  return {
    cache,
    exchanges: () => exchanges,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe('createTokenCache', () => {
  it('uses a token until a minute before it expires', async () => {
    const { cache, exchanges, advance } = createCache();
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(3_600_000 - 60_000 - 1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
    expect(exchanges()).toBe(2);
  });

  it('uses a short-lived token for nine tenths of its lifetime', async () => {
    const { cache, advance } = createCache({ lifetimeMs: 10_000 });
    await cache.get();
    advance(8_999);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
  });

  it('shares one exchange among all concurrent callers, and its failure too', async () => {
    const good = createCache();
    const values = await Promise.all(Array.from({ length: 20 }, () => good.cache.get()));
    expect(new Set(values.map((result) => result.kind === 'ok' && result.value))).toEqual(
      new Set(['token-1']),
    );
    expect(good.exchanges()).toBe(1);

    const bad = createCache({ outcomes: [refusal] });
    expect(await Promise.all([bad.cache.get(), bad.cache.get()])).toEqual([refusal, refusal]);
    expect(bad.exchanges()).toBe(1);
    expect(await bad.cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
  });

  it('removes the rejected token, but keeps the one that replaced it', async () => {
    const { cache, exchanges } = createCache();
    expect(cache.peek()).toBeUndefined();
    await cache.get();
    cache.forget('token-1');
    expect(cache.peek()).toBeUndefined();
    await cache.get();
    cache.forget('token-1');
    expect(cache.peek()).toBe('token-2');
    expect(exchanges()).toBe(2);
  });
});

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

describe('createRedactor', () => {
  it('removes a known value at any place and with any escapes', () => {
    const { apply } = createRedactor('k"ey/1+2 3');
    const echoed = `${JSON.stringify({ got: 'k"ey/1+2 3' })} ?key=${encodeURIComponent('k"ey/1+2 3')} k"ey/1+2 3`;
    expect(apply(echoed)).toBe('{"got":"[redacted]"} ?key=[redacted] [redacted]');
  });

  describe('removes a known value that the service repeats', () => {
    const key = "Zm9v/YmFy+cXV4~!'(&<a2V5 c2VjcmV0==";
    const json = JSON.stringify({ error: `The account of key ${key} is suspended` });
    const everyUnit = [...key]
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    const everyByte = [...Buffer.from(key)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    it.each([
      ['as it is', key],
      ['in JSON', json],
      ['in JSON of PHP', json.replaceAll('/', '\\/')],
      ['in JSON of .NET', json.replaceAll('+', '\\u002B').replaceAll('<', '\\u003C')],
      ['in JSON that escapes everything', `{"error":"${everyUnit}"}`],
      ['in the name of a field', JSON.stringify({ [key]: 1 })],
      ['in JSON within JSON', JSON.stringify({ error: json.replaceAll('/', '\\/') })],
      ['in JSON that is cut off', json.replaceAll('/', '\\/').slice(0, -1)],
      ['in a URL', `/token?key=${encodeURIComponent(key)}`],
      ['in a URL, all of it escaped', `/token?key=${everyByte}`],
      ['in a URL within a URL', `/login?to=${encodeURIComponent(`/token?key=${encodeURIComponent(key)}`)}`],
      ['in a form', `grant=1&${new URLSearchParams({ key })}`],
      ['in HTML', `<p>${key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;')}</p>`],
      ['in HTML with hexadecimal references', `<p>${key.replaceAll('/', '&#x2F;')}</p>`],
      ['in base64', `Basic ${Buffer.from(key).toString('base64')}`],
      ['in base64 for URLs', Buffer.from(key).toString('base64url')],
      ['without its padding', key.replaceAll('=', '')],
      ['in base64 behind a name', `Basic ${Buffer.from(`user:${key}`).toString('base64')}`],
      ['in base64 before a colon', Buffer.from(`${key}:`).toString('base64')],
      ['in HTML within HTML', key.replaceAll('&', '&amp;amp;').replaceAll('/', '&amp;#47;')],
    ])('%s', (_, answer) => {
      const shown = createRedactor(key).apply(answer);
      expect(shown).toContain(redacted);
      // Nothing is left of it in any notation: neither its beginning nor its end.
      expect(decodeURIComponent(shown)).not.toMatch(/Zm9v|Wm05|mV0|\\u00|%5a|c2Vj|YmFy|bUZ5/i);
    });
  });

  it('removes a token of 8,000 characters, and one of slashes that JSON escapes', () => {
    const long = 'eyJhbGciOi/'.repeat(800);
    expect(createRedactor(long).apply(`{"error":"${long.replaceAll('/', '\\/')}"}`)).toBe(
      '{"error":"[redacted]"}',
    );
    const { apply } = createRedactor(`${'/'.repeat(60)}x`, `${'\\'.repeat(60)}x`, `${'"'.repeat(60)}x`);
    const others = [`${'\\/'.repeat(60)}y`, `${'\\'.repeat(60)}y`, `${'\\"'.repeat(60)}y`].join(' ');
    expect(apply(others)).toBe(others);
    expect(createRedactor('line1\nline2').apply('"line1\\nline2" cut')).toBe('"[redacted]" cut');
    expect(createRedactor('=').apply('ab')).toBe('ab');
    expect(createRedactor('abc').apply('abc=1')).toBe('[redacted]=1');
    const quoted = JSON.stringify({
      error: `the key "${encodeURIComponent('a/b+c=d')}" is old`,
      token: { is: 'x' },
    });
    expect(createRedactor('a/b+c=d').apply(quoted)).toBe(
      '{"error":"the key \\"[redacted]\\" is old","token":"[redacted]"}',
    );
  });

  // A search that compares the secret at each place of the text takes an hour.
  it('reads a text once that is like a long secret at each place', () => {
    const half = 'a'.repeat(400_000);
    const { apply } = createRedactor(`${half}b${half}`);
    const text = 'a'.repeat(4_000_000);
    expect(apply(`${text}${text}`) === `${text}${text}`).toBe(true);
    const around = 'a'.repeat(3_600_000);
    expect(apply(`${text}b${text}`) === `${around}[redacted]${around}`).toBe(true);
  });

  it('removes values that it learns later, the longer value first', () => {
    const redactor = createRedactor('abc');
    redactor.learn('abcdef');
    redactor.learn('');
    expect(redactor.apply('abcdef abc ab')).toBe('[redacted] [redacted] ab');
  });

  it('removes secrets and tokens it does not know, and keeps messages about fields', () => {
    const { apply } = createRedactor();
    expect(apply('{"requestId":12345678901234567891,"password":"p"}')).toBe(
      '{"requestId":"12345678901234567891","password":"[redacted]"}',
    );
    const body = {
      secret: 'wh"sec',
      access_token: 't',
      previous_secret: 1,
      secrets: ['s'],
      token: { value: 'v' },
      client_secret_v2: 'a',
      signature_key: 'b',
      nested: [{ apiKey: 'c' }],
      errors: { rotate_secret: 'no boolean' },
      next_page_token: 'p',
      note: 'n',
    };
    expect(JSON.parse(apply(JSON.stringify(body)))).toEqual({
      secret: redacted,
      access_token: redacted,
      previous_secret: redacted,
      secrets: redacted,
      token: redacted,
      client_secret_v2: redacted,
      signature_key: redacted,
      nested: [{ apiKey: redacted }],
      errors: { rotate_secret: 'no boolean' },
      next_page_token: 'p',
      note: 'n',
    });
    expect(apply('{"client_secret":"a","apiKey": "b","note":"c","cut')).toBe(
      '{"client_secret":"[redacted]","apiKey": "[redacted]","note":"c","cut',
    );
    expect(apply('{"secret":"cut of')).toBe('{"secret":"[redacted]"');
  });

  it('leaves no known value in any text', () => {
    // Values whose parts could meet again around a replacement are none that a service gives out.
    const values = fc.stringMatching(/^[A-Za-z0-9+/=._-]{8,40}$/);
    assertProperty(
      fc.property(values, fc.array(fc.string()), (value, parts) => {
        expect(createRedactor(value).apply(parts.join(value))).not.toContain(value);
      }),
    );
  });
});
