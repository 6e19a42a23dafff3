import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { maskCredential } from '../../../../contract/signature/webhook-request.ts';
import type { Capture } from '../../../../discovery/captured/capture.ts';
import { findSignature } from '../../../../discovery/signature/find-signature.ts';
import { randomService } from '../random-service/random-service.ts';

const secret = 'a shared secret of this test';
const previous = 'the secret before it';
const url = 'https://hooks.example.test/sms';
const start = Date.UTC(2026, 0, 15, 12);

interface Sent {
  readonly id: string;
  readonly time: string;
  readonly body: string;
}

/** Makes a request that was received two seconds after it was sent, or later. @param sign returns the headers that sign it */
function capture(
  number: number,
  sign: (sent: Sent) => Readonly<Record<string, string>>,
  { lateSeconds = 2, ...other }: Partial<Capture> & { readonly lateSeconds?: number } = {},
): Capture {
  const at = start + number * 61_000;
  const body = `{"id":"${number}","status":"${'delivered'.slice(number % 3)}"}`;
  const sent = { id: `evt-${number}`, time: String(at / 1000), body };
  return {
    name: `request ${number}`,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'x-api-version': '2026-01', ...sign(sent) },
    body: Buffer.from(body),
    receivedAt: new Date(at + lateSeconds * 1000).toISOString(),
    ...other,
  };
}

const hmac = (text: string, key = secret) => createHmac('sha256', key).update(text).digest('hex');
const timed = ({ time, body }: Sent, key = secret) => ({
  'X-Time': time,
  'X-Signature': hmac(`${time}.${body}`, key),
});
const requests = (count: number, sign: (sent: Sent) => Readonly<Record<string, string>>) =>
  Array.from({ length: count }, (_, index) => capture(index, sign));

describe('findSignature, on differing captures', () => {
  const forged = Array.from({ length: 12 }, (_, index) =>
    capture(index, (sent) => timed(sent, 'a guessed secret'), { body: Buffer.from('{}') }),
  );

  const junk = [
    capture(7, () => ({})),
    capture(8, () => ({ 'X-Signature': 'none', 'X-Time': 'now' })),
    capture(9, () => ({ 'X-Signature': 'a=1,b=2; c=3 d:4', 'X-Time': '0' })),
    capture(10, () => ({ 'X-Signature': '', Authorization: 'Bearer a.b.c' })),
  ];
  const late = (lateSeconds: number) => capture(1, timed, { lateSeconds });
  const timeless = requests(2, timed).map(({ receivedAt: _, ...rest }) => rest);
  const twice = (sent: Sent) => ({ ...timed(sent), 'X-Sent': sent.time });
  const withToken = (sent: Sent) => ({ ...timed(sent), 'X-Api-Key': secret });

  it.each<[string, readonly Capture[], object, string?]>([
    [
      'the scheme of genuine captures among more and smaller forged ones',
      [...forged, ...requests(5, timed)],
      { fits: 5, scheme: { signedContent: '{timestamp}.{body}' } },
      '12 of 17 captures with the header do not verify',
    ],
    [
      'it without requests that lack the header or have junk in it',
      [...junk, ...requests(2, timed)],
      { fits: 2 },
    ],
    [
      'it where requests are signed with either of two secrets',
      [...requests(2, timed), ...requests(2, (sent) => timed(sent, previous))],
      { fits: 4 },
    ],
    [
      'a wider replay window for late requests',
      [...requests(1, timed), late(1801)],
      { fits: 2, scheme: { timestamp: { toleranceSeconds: 1860 } } },
      '1801 s after the time',
    ],
    [
      'no wider replay window for a request that was repeated days later',
      [...requests(2, timed), late(90_000)],
      { fits: 2, scheme: { timestamp: { toleranceSeconds: 300 } } },
    ],
    ['it where a request without a time of receipt is verified as of its own time', timeless, { fits: 2 }],
    [
      'one of two headers with the same value, and reports which',
      requests(2, twice),
      { fits: 2 },
      'x-time and x-sent held the same value in every capture: x-time was chosen.',
    ],
    ['a signature rather than a token in a header', requests(2, withToken), { scheme: { scheme: 'hmac' } }],
  ])('finds %s', (_, captures, expected, ambiguity) => {
    const outcome = findSignature(captures, [secret, previous]);
    expect(outcome).toMatchObject({ kind: 'found', ...expected });
    if (ambiguity !== undefined)
      expect(outcome).toHaveProperty('ambiguities', [expect.stringContaining(ambiguity)]);
  });
});

describe('findSignature, on tokens', () => {
  const token = 'hooks:a password';
  const basic = `Basic ${Buffer.from(token).toString('base64')}`;

  it('finds a token that was masked', () => {
    const captures = requests(2, ({ id }) => ({ Authorization: maskCredential(basic, id) }));
    expect(findSignature(captures, [token])).toMatchObject({
      kind: 'found',
      fits: 2,
      scheme: { scheme: 'token', header: 'authorization', prefix: 'Basic ', encoding: 'base64' },
    });
  });

  const hooks = 'a-password-of-hooks';
  it.each([
    ['the query', (value: string) => ({ url: `${url}?key=${value}` }), { query: 'key' }],
    ['a form', (value: string) => ({ body: Buffer.from(`id=1&key=${value}`) }), { body: 'key' }],
    [
      'a JSON body',
      (value: string) => ({ body: Buffer.from(JSON.stringify({ auth: { key: value } })) }),
      { body: 'auth.key' },
    ],
    [
      'the query of a GET',
      (value: string) => ({ method: 'GET', url: `${url}?id=1&key=${value}`, body: Buffer.of() }),
      { query: 'key' },
    ],
  ])('finds a token in %s, also if it was masked, and says that nothing is signed', (_, sent, place) => {
    for (const value of [hooks, maskCredential(hooks, 'salt')]) {
      const captures = requests(2, () => ({})).map((one) => ({ ...one, ...sent(encodeURIComponent(value)) }));
      const decoded = captures.map((one) => ({
        ...one,
        body: Buffer.from(decodeURIComponent(String(one.body))),
      }));
      const outcome = findSignature(decoded, [hooks]);
      expect(outcome).toMatchObject({ kind: 'found', fits: 2, scheme: { scheme: 'token', ...place } });
      expect(outcome).toHaveProperty('ambiguities', [expect.stringContaining('nothing is signed')]);
      expect(findSignature(captures, ['another-password']).kind).toBe('missed');
    }
  });

  it('finds no token where other credentials were masked', () => {
    const captures = requests(2, ({ id }) => ({ Authorization: maskCredential(`${basic}x`, id) }));
    expect(findSignature(captures, [token])).toMatchObject({
      kind: 'missed',
      missing: [expect.stringContaining('Credentials were masked')],
    });
  });
});

describe('findSignature, where no scheme can be used', () => {
  const missing = (captures: readonly Capture[], secrets: readonly string[] = [secret]) => {
    const outcome = findSignature(captures, secrets);
    if (outcome.kind === 'found') throw new Error(`found ${JSON.stringify(outcome.scheme)}`);
    return outcome.missing.join('\n');
  };
  const sign = (header: Readonly<Record<string, string>>) => requests(2, () => header);

  it('explains what is missing', () => {
    expect(missing([])).toContain('There is no capture');
    expect(missing(requests(1, timed), [])).toContain('No secret was given');
    expect(missing(requests(1, () => ({})))).toContain('No header looks like a signature');
    expect(missing(requests(2, (sent) => timed(sent, 'another')))).toContain(
      'x-signature: looks like HMAC-SHA256 (32 bytes in hex), and no scheme that was tried matches it.',
    );
    expect(
      missing(requests(2, () => ({})).map((one) => ({ ...one, url: `${url}?key=1${secret}2` }))),
    ).toContain('A secret is in the URL');
  });

  it.each<[string, (sent: Sent) => Readonly<Record<string, string>>, string]>([
    [
      'signed values without a text between them',
      ({ id, time, body }) => ({ 'X-Id': id, 'X-Time': time, 'X-Signature': hmac(id + time + body) }),
      'expected a text between {id} and its neighbour',
    ],
    [
      'a signature in another spelling than the verifier writes',
      ({ body }) => ({ 'X-Signature': Buffer.from(hmac(body), 'hex').toString('base64').replace('=', '') }),
      'missing "="',
    ],
    ['part of a digest', ({ body }) => ({ 'X-Signature': hmac(body).slice(0, 40) }), ''],
  ])('rejects %s', (_, signed, reason) => {
    expect(missing(requests(2, signed))).toContain(reason);
  });

  it.each([
    ['without a hash of the body', { alg: 'HS256' }, { iat: start / 1000 }, 'without a hash of the body'],
    ['without a signature', { alg: 'none' }, {}, 'an unsupported algorithm'],
  ])('rejects a token %s', (_, head, claims, reason) => {
    const content = [head, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createHmac('sha256', secret).update(content).digest('base64url');
    expect(missing(sign({ Authorization: `Bearer ${content}.${signature}` }))).toContain(reason);
  });

  it('never shows a secret or the value of a header', () => {
    for (const seed of [1, 2, 3]) {
      const service = randomService(seed);
      const captures = [service.capture(0), service.capture(1)];
      const output = [service.secret, service.wrongSecret]
        .map((each) => JSON.stringify(findSignature(captures, [each], { effortMs: 50 })))
        .join('\n');
      expect(output).not.toContain(service.secret);
      expect(output).not.toContain(service.wrongSecret);
      for (const value of captures.flatMap(({ headers }) => Object.values(headers)))
        if (value.length > 20) expect(output).not.toContain(value);
    }
  });
});

describe('findSignature, where a sender could change what is read', () => {
  const form = (number: number) => `id=m${number}&text=a%20b%20${number}&from=%2B12025550143`;
  const sorted = (text: string) => text.split('&').toSorted().join('&');
  const posted = (address: string, sign: (body: string) => string) =>
    [1, 2].map((number) =>
      capture(number, () => ({ 'X-Signature': hmac(sign(form(number))) }), {
        url: address,
        body: Buffer.from(form(number)),
      }),
    );

  it('proposes the parameters of a form alone, and those of the URL only with what they leave open', () => {
    expect(findSignature(posted(url, sorted), [secret])).toMatchObject({
      scheme: { signedContent: expect.stringMatching(/^\{form:encoded:/) },
    });
    const withQuery = posted(`${url}?acct=7`, (body) => sorted(`acct=7&${body}`));
    expect(findSignature(withQuery, [secret])).toMatchObject({
      scheme: { signedContent: expect.stringMatching(/^\{params:encoded:/) },
      ambiguities: [expect.stringContaining('in the URL or in the body')],
    });
  });

  it('proposes the URL beside the body without a query, and nothing if it has one', () => {
    expect(
      findSignature(
        posted(url, (body) => url + body),
        [secret],
      ),
    ).toMatchObject({
      kind: 'found',
      scheme: { signedContent: '{url:base}{body}' },
    });
    const address = `${url}?acct=7`;
    expect(
      findSignature(
        posted(address, (body) => address + body),
        [secret],
      ),
    ).toMatchObject({
      kind: 'missed',
      missing: expect.arrayContaining([expect.stringContaining('expected a text between {url}')]),
    });
  });
});
