import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../../../../../contract/discovery/captured/capture.ts';
import { findSignature } from '../../../../../contract/discovery/signature/find-signature.ts';
import { maskCredential } from '../../../../../contract/signature/webhook-request.ts';
import { randomService } from '../../../../../tools/support/random-service/random-service.ts';

const secret = 'a shared secret of this test';
const url = 'https://hooks.example.test/sms';
const start = Date.UTC(2026, 0, 15, 12);

interface Sent {
  readonly id: string;
  readonly time: string;
  readonly body: string;
}

/** A request that came two seconds after it was sent, or later; signed by what `sign` makes of it. */
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

describe('captures that are not all alike', () => {
  const forged = Array.from({ length: 12 }, (_, index) =>
    capture(index, (sent) => timed(sent, 'a guess of somebody'), { body: Buffer.from('{}') }),
  );

  it('finds the scheme of the genuine among forged ones, that are smaller and more', () => {
    const outcome = findSignature([...forged, ...requests(5, timed)], [secret]);
    expect(outcome).toMatchObject({
      kind: 'found',
      fits: 5,
      scheme: { signedContent: '{timestamp}.{body}' },
    });
    expect(outcome).toHaveProperty('ambiguities', [
      expect.stringContaining('12 of 17 captures with the header do not fit'),
    ]);
  });

  it('passes over requests without the header, and junk in it', () => {
    const junk = [
      capture(7, () => ({})),
      capture(8, () => ({ 'X-Signature': 'none', 'X-Time': 'now' })),
      capture(9, () => ({ 'X-Signature': 'a=1,b=2; c=3 d:4', 'X-Time': '0' })),
      capture(10, () => ({ 'X-Signature': '', Authorization: 'Bearer a.b.c' })),
    ];
    expect(findSignature([...junk, ...requests(2, timed)], [secret])).toMatchObject({
      kind: 'found',
      fits: 2,
    });
  });

  it('takes requests signed with either of two secrets', () => {
    const captures = [...requests(2, timed), ...requests(2, (sent) => timed(sent, 'the previous one'))];
    expect(findSignature(captures, [secret, 'the previous one'])).toMatchObject({ kind: 'found', fits: 4 });
  });

  it('takes a wider replay window where requests came late, and says so', () => {
    const late = capture(1, timed, { lateSeconds: 1801 });
    const outcome = findSignature([...requests(1, timed), late], [secret]);
    expect(outcome).toMatchObject({ fits: 2, scheme: { timestamp: { toleranceSeconds: 1860 } } });
    expect(outcome).toHaveProperty('ambiguities', [expect.stringContaining('1801 s after the time')]);
  });

  it('does not widen it by days for a request that somebody repeated', () => {
    const repeated = capture(1, timed, { lateSeconds: 90_000 });
    const outcome = findSignature([...requests(2, timed), repeated], [secret]);
    expect(outcome).toMatchObject({ fits: 2, scheme: { timestamp: { toleranceSeconds: 300 } } });
  });

  it('verifies as of its own time what nobody noted the arrival of', () => {
    const captures = requests(2, timed).map(({ receivedAt: _, ...rest }) => rest);
    expect(findSignature(captures, [secret])).toMatchObject({ kind: 'found', fits: 2 });
  });

  it('says which of two headers with the same value it took', () => {
    const twice = (sent: Sent) => ({ ...timed(sent), 'X-Sent': sent.time });
    const outcome = findSignature(requests(2, twice), [secret]);
    expect(outcome).toMatchObject({ kind: 'found', fits: 2 });
    expect(outcome).toHaveProperty('ambiguities', [
      'x-time and x-sent held the same in every capture: x-time was taken.',
    ]);
  });

  it('prefers a signature to a token', () => {
    const both = (sent: Sent) => ({ ...timed(sent), 'X-Api-Key': secret });
    expect(findSignature(requests(2, both), [secret])).toMatchObject({ scheme: { scheme: 'hmac' } });
  });
});

describe('tokens', () => {
  const token = 'hooks:a password';
  const basic = `Basic ${Buffer.from(token).toString('base64')}`;

  it('are found although they were masked', () => {
    const captures = requests(2, ({ id }) => ({ Authorization: maskCredential(basic, id) }));
    expect(findSignature(captures, [token])).toMatchObject({
      kind: 'found',
      fits: 2,
      scheme: { scheme: 'token', header: 'authorization', prefix: 'Basic ', encoding: 'base64' },
    });
  });

  it('are not found where other credentials were masked', () => {
    const captures = requests(2, ({ id }) => ({ Authorization: maskCredential(`${basic}x`, id) }));
    expect(findSignature(captures, [token])).toMatchObject({
      kind: 'missed',
      missing: [expect.stringContaining('credentials were masked')],
    });
  });
});

describe('what cannot be taken', () => {
  const missing = (captures: readonly Capture[], secrets: readonly string[] = [secret]) => {
    const outcome = findSignature(captures, secrets);
    if (outcome.kind === 'found') throw new Error(`found ${JSON.stringify(outcome.scheme)}`);
    return outcome.missing.join('\n');
  };
  const sign = (header: Readonly<Record<string, string>>) => requests(2, () => header);

  it('says what is missing', () => {
    expect(missing([])).toContain('There is no capture');
    expect(missing(requests(1, timed), [])).toContain('No secret was given');
    expect(missing(requests(1, () => ({})))).toContain('No header looks like a signature');
    expect(missing(requests(2, (sent) => timed(sent, 'another')))).toContain(
      'x-signature: looks like HMAC-SHA256 (32 bytes in hex), and nothing that was tried fits it.',
    );
    expect(
      missing(requests(2, () => ({})).map((one) => ({ ...one, url: `${url}?key=${secret}` }))),
    ).toContain('stands in the URL');
  });

  it('refuses signed values that run into each other', () => {
    const captures = requests(2, ({ id, time, body }) => ({
      'X-Id': id,
      'X-Time': time,
      'X-Signature': hmac(id + time + body),
    }));
    expect(missing(captures)).toContain('expected a text between {id} and its neighbour');
  });

  it('refuses a signature that is written as the verifier does not write it', () => {
    const captures = requests(2, ({ body }) => ({ 'X-Signature': hmac(body).toUpperCase() }));
    expect(missing(captures)).toContain('capital hex digits');
  });

  it('takes no part of a digest for a signature', () => {
    missing(requests(2, ({ body }) => ({ 'X-Signature': hmac(body).slice(0, 40) })));
  });

  it.each([
    ['without a hash of the body', { alg: 'HS256' }, { iat: start / 1000 }, 'without a hash of the body'],
    ['without a signature', { alg: 'none' }, {}, 'an algorithm that is not taken'],
  ])('refuses a token %s', (_, head, claims, reason) => {
    const content = [head, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = createHmac('sha256', secret).update(content).digest('base64url');
    expect(missing(sign({ Authorization: `Bearer ${content}.${signature}` }))).toContain(reason);
  });

  it('never tells a secret or what a header held', () => {
    for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const service = randomService(seed);
      const captures = [service.capture(0), service.capture(1)];
      const told = [service.secret, service.wrongSecret]
        .map((each) => JSON.stringify(findSignature(captures, [each], { effortMs: 50 })))
        .join('\n');
      expect(told).not.toContain(service.secret);
      expect(told).not.toContain(service.wrongSecret);
      for (const value of captures.flatMap(({ headers }) => Object.values(headers)))
        if (value.length > 20) expect(told).not.toContain(value);
    }
  });
});
