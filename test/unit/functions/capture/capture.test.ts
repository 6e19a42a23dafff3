import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesMasked } from '../../../../contract/signature/webhook-request.ts';
import { decodeEnvelope, encodeEnvelope } from '../../../../functions/webhook/envelope.ts';
import type { SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { assertProperty } from '../../../support/property.ts';
import {
  cached,
  contract,
  documentWith,
  failing,
  ingest,
  now,
  rotating,
  secret,
  signed,
  url,
} from '../ingest/ingest-under-test.ts';

const iso = (ms: number) => new Date(now + ms).toISOString();
const later = iso(3_600_000);
const on = documentWith(secret, { capture: { until: later, setting: '' } });
const unsigned = { body: '{"event":"delivered"}', headers: { 'X-Signature': 'abc' } };
const forged = signed('{}', 'whsec_Zm9yZ2Vk');

describe('ingest, while capturing is on,', () => {
  it('queues a request whole that it would otherwise reject, and answers it like an accepted one', async () => {
    const { post, sent, lines, counts } = ingest({ cache: cached(on), acknowledgeStatus: 202 });
    const answer = await post({ ...unsigned, rawQueryString: 'a=1' });
    expect(sent).toEqual([
      {
        requestId: 'req-1',
        receivedAt: iso(0),
        body: Buffer.from(unsigned.body),
        captured: { method: 'POST', url: `${url}?a=1`, headers: { 'x-signature': 'abc' } },
        contract,
      },
    ]);
    expect([...counts]).toEqual([['captured', 1]]);
    expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason: 'signature-missing' } }]);
    expect(answer).toEqual(await ingest({ acknowledgeStatus: 202 }).post(signed('{}')));
  });

  it.each([
    ['signature-missing', unsigned],
    ['signature-mismatch', forged],
    ['timestamp-invalid', { ...forged, headers: { ...forged.headers, 'webhook-timestamp': 'soon' } }],
    ['timestamp-outside-window', signed('{}', secret, now - 300_001)],
  ])('captures a request for any reason of rejection: %s', async (reason, request) => {
    const { post, sent, lines, counts } = ingest({ cache: cached(on) });
    expect(await post(request)).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ captured: { url } }]);
    expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason } }]);
    // The alarm on refused requests watches what is refused.
    expect(counts.has('rejected')).toBe(false);
  });

  it.each([
    ['a rotation is under way', { cache: cached({ ...on, rotating }) }],
    ['everything that does not fit is parked', { cache: cached(on), park: 'always' as const }],
  ])(
    'parks a request because %s, with all its headers: the contract may name other headers',
    async (_, given) => {
      const { post, sent, counts } = ingest(given);
      const other = { 'X-Real-Signature': 'abc', Authorization: 'Basic dXNlcjpwYXNz' };
      await post({ ...forged, headers: { ...forged.headers, ...other } });
      const [envelope] = sent;
      expect(envelope?.unverified).toEqual({
        url,
        headers: forged.headers,
        whole: {
          ...{ method: 'POST', url },
          headers: {
            ...forged.headers,
            'x-real-signature': 'abc',
            authorization: expect.stringMatching(/^masked:/),
          },
        },
      });
      expect(envelope && decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
      expect([...counts]).toEqual([['parked', 1]]);
    },
  );

  it('masks credentials, and a known secret wherever it occurs', async () => {
    const { post, sent, text } = ingest({ cache: cached(on) });
    const headers = { Authorization: 'Bearer abc.def', 'x-any': `key=${secret};`, 'user-agent': 'sms/1' };
    await post({ body: '{}', headers });
    const kept = sent[0]?.captured?.headers ?? {};
    expect(kept).toMatchObject({ 'user-agent': 'sms/1' });
    expect(matchesMasked(kept.authorization ?? '', 'Bearer abc.def')).toBe(true);
    expect(matchesMasked(kept['x-any'] ?? '', headers['x-any'])).toBe(true);
    expect(JSON.stringify(sent) + text()).not.toMatch(/abc\.def|whsec/);
  });

  it('rejects requests from other addresses, of other methods and above the size limit as usual', async () => {
    const { post, sent } = ingest({ cache: cached(on), allowsSource: () => false });
    expect(await post(unsigned)).toMatchObject({ statusCode: 403 });
    const open = ingest({ cache: cached(on) });
    expect(await open.post({ ...unsigned, method: 'GET' })).toMatchObject({ statusCode: 405 });
    expect(await open.post({ ...unsigned, body: 'a'.repeat(300_000) })).toMatchObject({ statusCode: 413 });
    expect([...sent, ...open.sent]).toEqual([]);
  });
});

describe('ingest, before the webhook is registered,', () => {
  it('captures requests if only the setting is on', async () => {
    const { post, sent, lines } = ingest({ cache: cached(undefined), capture: { until: later } });
    expect(await post(forged)).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ captured: { url } }]);
    expect(lines).toEqual([{ name: 'REQUEST_CAPTURED', fields: { reason: 'not-registered' } }]);
  });
});

describe('the capture switch', () => {
  const setting = iso(60_000);
  const decided = (until: string, under: string) =>
    documentWith(secret, { capture: { until, setting: under } });

  it.each<[string, string, SecretDocument, number]>([
    ['no decision and no setting', '', documentWith(secret), 401],
    ['the setting says so', setting, documentWith(secret), 200],
    ["the setting's time is over", iso(0), documentWith(secret), 401],
    ['a person said so', '', decided(later, ''), 200],
    ['a person said so, and its time is over', '', decided(iso(0), ''), 401],
    ['a person ended what the setting began', setting, decided(iso(-1), setting), 401],
    ['a deployment changed the setting since a person ended it', setting, decided(iso(-1), ''), 200],
    ['a deployment took the setting away since a person said so', '', decided(later, setting), 401],
    ['the setting is no time', 'soon', documentWith(secret), 401],
  ])('is read as follows: %s', async (_, until, document, statusCode) => {
    const { post } = ingest({ cache: cached(document), capture: { until } });
    expect(await post(unsigned)).toMatchObject({ statusCode });
  });

  it('is read at each request, so that a later decision counts', async () => {
    const ended = ingest({ cache: cached(on, documentWith(secret)) });
    expect(await ended.post(unsigned)).toMatchObject({ statusCode: 401 });
    const begun = ingest({ cache: cached(documentWith(secret), on) });
    expect(await begun.post(unsigned)).toMatchObject({ statusCode: 200 });
    expect([ended.sent.length, begun.sent.length]).toEqual([0, 1]);
  });

  it.each([
    ['', { read: failing, reread: failing }],
    [later, { read: failing, reread: failing }],
    ['', { read: async () => on, reread: failing }],
  ])('is off when the secret document cannot be read: %j %j', async (until, cache) => {
    const { post, sent } = ingest({ cache, capture: { until } });
    expect(await post(unsigned)).toMatchObject({ statusCode: 401 });
    expect(sent).toEqual([]);
  });

  it('works without a secret if the scheme needs none', async () => {
    const { post, sent } = ingest({ hasNoSecret: true, capture: { until: later } });
    expect(await post(unsigned)).toMatchObject({ statusCode: 401 });
    expect(sent).toEqual([]);
  });
});

describe('an instance of ingest captures', () => {
  function instance(first: SecretDocument = on) {
    const time = { now, document: first };
    const known = async () => time.document;
    const { post, sent, signals } = ingest({ cache: { read: known, reread: known }, clock: () => time.now });
    const kept = async (requests: number, request: Parameters<typeof post>[0] = unsigned) => {
      const before = sent.length;
      for (let number = 0; number < requests; number++) await post(request);
      return sent.length - before;
    };
    return { time, kept, signals };
  }

  const hour = 3_600_000;
  const from = (sourceIp: string) => ({ ...unsigned, sourceIp });

  it('a hundred requests of one sender at once, then five hundred an hour', async () => {
    const { time, kept } = instance();
    expect(await kept(150)).toBe(100);
    time.now += hour / 500 + 1;
    expect(await kept(2)).toBe(1);
    time.now += hour / 2;
    expect(await kept(400)).toBe(100);
  });

  it('as many requests after the clock was set back', async () => {
    const { time, kept } = instance();
    expect(await kept(50)).toBe(50);
    time.now -= hour;
    expect(await kept(150)).toBe(50);
  });

  it('a maximum of requests an hour, for any number of senders', async () => {
    const { time, kept } = instance();
    let all = 0;
    for (let sender = 0; sender < 2_000; sender++, time.now += hour / 2_000)
      all += await kept(3, from(`2001:db8:0:${sender.toString(16)}::1`));
    expect(all).toBeGreaterThan(600);
    expect(all).toBeLessThanOrEqual(700);
  });

  it('requests of other senders while one sender exceeds its limit', async () => {
    const { time, kept } = instance();
    for (let second = 0; second < 600; second++, time.now += 1_000) {
      await kept(10, from('192.0.2.1'));
      if (second % 30 === 0) expect(await kept(1, from('198.51.100.7')), `in second ${second}`).toBe(1);
    }
  });

  it('no more of a sender that forges an address header or uses other addresses of its IPv6 network', async () => {
    const claiming = (address: string) => ({
      ...unsigned,
      headers: { ...unsigned.headers, 'x-forwarded-for': address },
    });
    const pairs = [
      [claiming('203.0.113.1'), claiming('203.0.113.2')],
      [from('2001:db8::1:2'), from('2001:db8::ffff')],
    ] as const;
    for (const [first, second] of pairs) {
      const { kept } = instance();
      expect([await kept(150, first), await kept(150, second)]).toEqual([100, 0]);
      expect(await kept(30, from('198.51.100.7'))).toBe(20);
    }
  });

  it('no body of more than 64 KiB', async () => {
    const { kept } = instance();
    expect(await kept(1, { body: 'a'.repeat(65_537) })).toBe(0);
    expect(await kept(1, { body: 'a'.repeat(65_536) })).toBe(1);
  });

  it('and counts the requests it left out, and reports the count to setup with the captured ones', async () => {
    const { time, kept, signals } = instance();
    await kept(130);
    await kept(1, { body: 'a'.repeat(65_537) });
    time.now += 10_000;
    await kept(1);
    expect(signals).toEqual([
      { mismatches: 0, isBurst: false, isRotating: false, captured: 1 },
      { mismatches: 0, isBurst: false, isRotating: false, captured: 100, leftOut: 31 },
    ]);
  });
});

it('captured requests with any headers pass the queue, and the answer is the same', async () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units));
  const names = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'Authorization', 'X-Api-Key', 'cookie', 'masked', ''),
    anyText,
  );
  const values = fc.oneof(
    fc.constantFrom('masked:salt:00', 'Bearer e30.e30.e30', 'Bearer bnVsbA.a.b', `${secret} `, undefined),
    anyText,
  );
  const headers = fc.array(fc.tuple(names, values)).map((entries) => Object.fromEntries(entries));
  await assertProperty(
    fc.asyncProperty(headers, async (given) => {
      const { post, sent } = ingest({ cache: cached(on) });
      expect(await post({ body: '{}', headers: given })).toEqual(await ingest().post(signed('{}')));
      const [envelope] = sent;
      expect(envelope && decodeEnvelope(encodeEnvelope(envelope))).toEqual(envelope);
      expect(JSON.stringify(envelope)).not.toContain(secret);
    }),
  );
});
