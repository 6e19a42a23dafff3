import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { postedJson } from '../../../../contract/schema/request-form.ts';
import { signature } from '../../../../contract/schema/signature-schema.ts';
import { hideToken, hideValues } from '../../../../contract/signature/hidden-values.ts';
import { signedRequest } from '../../../../contract/signature/sign.ts';
import { createTokenReader, createVerifier } from '../../../../contract/signature/verify.ts';
import { assertProperty } from '../../../support/property.ts';

const url = 'https://example.test/webhooks/sms';
const secret = 'p4ss/w0rd+of=hooks';
const now = Date.UTC(2026, 0, 15, 12);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

const inQuery = signature.parse({ scheme: 'token', query: 'token' });
const inBody = signature.parse({ scheme: 'token', body: 'auth.token', prefix: 'Key ' });
const inForm = signature.parse({ scheme: 'token', body: 'token' });

describe.each([
  ['the query of a POST', inQuery, 'POST', '{"id":"m1"}'],
  ['the query of a GET', inQuery, 'GET', 'id=m1&status=delivered'],
  ['a GET, named as a field', inForm, 'GET', 'id=m1'],
  ['a JSON body', inBody, 'POST', '{"id":"m1"}'],
  ['a form', inForm, 'POST', 'id=m1&text=a%20b+c'],
] as const)('a token in %s', (_, scheme, method, body) => {
  const format = { method, bodyFormat: body.startsWith('{') ? 'json' : 'form' } as const;
  const sent = signedRequest(scheme, { body: Buffer.from(body), id: '', now, url }, secret, format);
  const verdict = (request: object, key = secret) =>
    createVerifier(scheme, format)({ ...sent, ...request }, [key], now);
  const tokenIn = createTokenReader(scheme, format);
  const spelled = (part: string) => part.includes(secret) || part.includes(encodeURIComponent(secret));

  it('verifies with its own secret alone', () => {
    expect(verdict({})).toEqual({ kind: 'verified', signedId: undefined });
    expect(verdict({}, 'another')).toEqual({ kind: 'rejected', reason: 'signature-mismatch' });
    expect(verdict({ url, body: Buffer.from(method === 'GET' ? '' : body) })).toEqual({
      kind: 'rejected',
      reason: 'signature-missing',
    });
  });

  it('leaves nothing of it behind, and every other byte as received', () => {
    const hidden = hideToken(sent, tokenIn);
    expect(spelled(hidden.url) || spelled(text(hidden.body))).toBe(false);
    expect(verdict(hidden)).toEqual({ kind: 'rejected', reason: 'signature-missing' });
    expect(text(hidden.body)).toContain(body.replace(/}$/, ''));
    expect(hideToken(hidden, tokenIn)).toEqual(hidden);
  });
});

it.each([
  ['JSON', (hook: string) => JSON.stringify({ id: 'm1', callback_url: hook })],
  ['a form', (hook: string) => String(new URLSearchParams({ id: 'm1', callback_url: hook }))],
])('a token in the query is also hidden in the URL of the webhook that %s repeats', (_, bodyWith) => {
  const repeated = `${url}?a=1&token=${encodeURIComponent(secret)}#part`;
  const request = {
    url: `${url}?token=${encodeURIComponent(secret)}`,
    method: 'POST',
    body: Buffer.from(bodyWith(repeated)),
  } as const;
  const hidden = hideToken(request, createTokenReader(inQuery, postedJson));
  expect(text(hidden.body)).toBe(bodyWith(`${url}?a=1&token=#part`));
  expect(hidden.url).toBe(`${url}?token=`);
});

it('a token is hidden in a URL within a URL, and in JSON after a byte-order mark', () => {
  const inner = `${url}?token=${encodeURIComponent(secret).toLowerCase()}`;
  const hook = `https://proxy.example.test/?to=${encodeURIComponent(inner)}`;
  const body = Buffer.from(`\ufeff${JSON.stringify({ hook, token: secret })}`);
  const request = { url: `${url}?token=${encodeURIComponent(secret)}`, method: 'POST', body } as const;
  const hidden = text(hideToken(request, createTokenReader(inQuery, postedJson)).body);
  const emptied = `https://proxy.example.test/?to=${encodeURIComponent(`${url}?token=`)}`;
  expect(hidden).toBe(`\ufeff${JSON.stringify({ hook: emptied, token: '' })}`);
});

it.each([
  ['a form', (words: string) => `words=${words}`],
  ['JSON', (words: string) => JSON.stringify({ words })],
])('a text of %s with thousands of URLs within each other stays as received', (_, bodyWith) => {
  const body = Buffer.from(bodyWith('http:?a='.repeat(30_000)));
  const request = { url: `${url}?token=${encodeURIComponent(secret)}`, method: 'POST', body } as const;
  const hidden = hideToken(request, createTokenReader(inQuery, postedJson));
  expect(hidden).toEqual({ ...request, url: `${url}?token=` });
});

it('the URLs of a text are replaced a bounded number of times, however they are within each other', () => {
  const nested = (levels: number): string =>
    levels === 0
      ? 'x'
      : `http:?a=${nested(levels - 1)
          .replaceAll('%', '%25')
          .replaceAll('#', '%23')}#`;
  const attempts = (levels: number) => {
    let count = 0;
    const body = Buffer.from(JSON.stringify({ text: nested(levels) }));
    hideValues({ url, body }, () => {
      count += 1;
      return undefined;
    });
    return count;
  };
  expect(attempts(14)).toBe(attempts(7));
});

describe('hideValues', () => {
  const hide = (request: { url: string; body: Uint8Array }, hidden: string = secret) =>
    hideValues(request, (value) => (value === hidden ? '***' : undefined));
  const escaped = JSON.stringify(secret).replace('/', '\\/').replace('4', '\\u0034');

  it.each<[string, string, string, string?]>([
    ['a value with escapes', `{"a":${escaped},"b":1.50}`, '{"a":"***","b":1.50}'],
    [
      'a value beside a number that JavaScript cannot hold',
      `{"a":12345678901234567890,"b":"${secret}"}`,
      '{"a":12345678901234567890,"b":"***"}',
    ],
    ['a number of many digits', '{"a":1234567890123456789}', '{"a":"***"}', '1234567890123456789'],
    [
      'a parameter in JSON that readers take for a form, because it is too deep',
      `{"x&a=${encodeURIComponent(secret)}&y":${'['.repeat(70)}"${secret}"${']'.repeat(70)}}`,
      `{"x&a=***&y":${'['.repeat(70)}"***"${']'.repeat(70)}}`,
    ],
    ['a value in a list', `[{"a":["${secret}"]}]`, '[{"a":["***"]}]'],
    ['no name of a field', `{"${secret}" : 1}`, `{"${secret}" : 1}`],
    ['no part of a value', `{"a":"${secret}x"}`, `{"a":"${secret}x"}`],
    ['nothing in text that is no JSON', `{"a":"${secret}"`, `{"a":"${secret}"`],
    [
      'each of several parameters',
      `a=${encodeURIComponent(secret)}&b&a=p4ss%2Fw0rd%2Bof=hooks`,
      'a=***&b&a=***',
    ],
  ])('hides %s', (_, body, expected, hidden = secret) => {
    expect(text(hide({ url, body: Buffer.from(body) }, hidden).body)).toBe(expected);
  });

  it('hides a value in the query, and never the same text elsewhere in the URL', () => {
    const request = { url: 'https://a.test/a?a=a#a', body: Buffer.of() };
    const hidden = hideValues(request, (value) => (value === 'a' ? '*' : undefined));
    expect(hidden.url).toBe('https://a.test/a?a=*#a');
  });

  it('keeps a request without such a value byte for byte', () => {
    assertProperty(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.json().map((json) => Buffer.from(json)),
          fc.webQueryParameters().map((query) => Buffer.from(query)),
        ),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
        (body, anyUrl) => {
          const hidden = hide({ url: anyUrl, body });
          expect(Buffer.from(hidden.body)).toEqual(Buffer.from(body));
          expect(hidden.url).toBe(anyUrl);
        },
      ),
    );
  });
});

it('a scheme that signs, or whose token is in a header, carries no token to hide', () => {
  expect(
    createTokenReader(signature.parse({ scheme: 'none', anyoneMayPost: true }), postedJson),
  ).toBeUndefined();
  expect(
    createTokenReader(signature.parse({ scheme: 'token', header: 'x-token' }), postedJson),
  ).toBeUndefined();
});

it('a token behind a "#" is hidden, because the readers of a request read it', () => {
  const request = { url: 'https://example.test/sms?x=1#&token=secret', body: Buffer.from('{}') };
  const hidden = hideValues(request, (value) => (value === 'secret' ? '' : undefined));
  expect(hidden.url).toBe('https://example.test/sms?x=1#&token=');
});
