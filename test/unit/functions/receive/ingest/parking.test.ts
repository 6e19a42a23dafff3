import { describe, expect, it } from 'vitest';
import {
  cached,
  contract,
  documentWith,
  failing,
  ingest,
  now,
  oldSecret,
  rotating,
  secret,
  signed,
  url,
} from './ingest-under-test.ts';

/** Signed with a secret that is not stored yet. */
const early = signed('{"type":"sms.status"}', 'whsec_bmV3ZXN0');
const whileRotating = cached(documentWith(secret), documentWith(secret, { rotating }));

describe('while a rotation is marked', () => {
  it('ingest queues and acknowledges a mismatch, unverified and with the headers that its verification needs', async () => {
    const { post, sent, lines, counts } = ingest({ cache: whileRotating });
    const headers = { ...early.headers, authorization: 'not read', cookie: 'not read' };
    const answer = await post({ ...early, headers, rawQueryString: 'a=1' });
    expect(answer).toMatchObject({ statusCode: 200, body: '{"id":"req-1"}' });
    expect(sent).toEqual([
      {
        requestId: 'req-1',
        receivedAt: '2026-01-15T12:00:05.000Z',
        body: Buffer.from('{"type":"sms.status"}'),
        unverified: { headers: early.headers, url: `${url}?a=1` },
        contract,
      },
    ]);
    expect(lines).toEqual([]);
    expect([...counts]).toEqual([['parked', 1]]);
  });

  it('ingest verifies a request that matches a stored secret', async () => {
    const { post, sent, counts } = ingest({ cache: cached(documentWith(secret, { rotating })) });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ signedId: 'evt_1' }]);
    expect(sent[0]?.unverified).toBeUndefined();
    expect(counts.size).toBe(0);
  });

  it.each([
    ['signature-missing', { body: '{}' }],
    ['timestamp-invalid', { ...early, headers: { ...early.headers, 'webhook-timestamp': 'soon' } }],
    ['timestamp-outside-window', signed('{}', 'whsec_bmV3ZXN0', now - 300_001)],
  ])('ingest rejects a request that no secret could verify: %s', async (reason, request) => {
    for (const park of ['rotating', 'always'] as const) {
      const { post, sent, lines, signals } = ingest({ cache: whileRotating, park });
      expect(await post(request)).toMatchObject({ statusCode: 401 });
      expect(lines).toEqual([{ name: 'REQUEST_REJECTED', fields: { reason } }]);
      expect([sent, signals]).toEqual([[], []]);
    }
  });

  it('ingest parks a mismatch if the secret cannot be read again: the worker reads it later', async () => {
    const cache = { read: async () => documentWith(secret, { rotating }), reread: failing };
    const { post, sent } = ingest({ cache });
    expect(await post(early)).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ unverified: { url } }]);
  });

  it('ingest neither acknowledges nor counts a parked request that the queue did not confirm', async () => {
    const { post, counts, signals } = ingest({ cache: whileRotating, queue: { send: failing } });
    expect(await post(early)).toMatchObject({ statusCode: 503 });
    expect([...counts]).toEqual([['unavailable', 1]]);
    expect(signals).toEqual([{ mismatches: 1, isBurst: false, isRotating: true }]);
  });
});

describe('once the rotation mark is removed', () => {
  it('ingest rejects a mismatch again, and accepts the secret that replaced the old one', async () => {
    const cache = cached(documentWith(oldSecret, { rotating }), documentWith(secret));
    const { post, sent } = ingest({ cache });
    expect(await post(early)).toMatchObject({ statusCode: 401 });
    expect(await post(signed('{}'))).toMatchObject({ statusCode: 200 });
    expect(sent.map(({ unverified }) => unverified)).toEqual([undefined]);
  });
});

describe('with a setting to park all mismatches', () => {
  it('ingest parks a mismatch without a rotation mark', async () => {
    const { post, sent, signals } = ingest({ park: 'always' });
    expect(await post(early)).toMatchObject({ statusCode: 200 });
    expect(sent).toMatchObject([{ unverified: { headers: early.headers } }]);
    expect(signals).toEqual([{ mismatches: 1, isBurst: false, isRotating: false }]);
  });

  it('ingest parks nothing while no secret is stored, because no request could be signed', async () => {
    const { post, sent } = ingest({ park: 'always', cache: cached(undefined) });
    expect(await post(early)).toMatchObject({ statusCode: 503 });
    expect(sent).toEqual([]);
  });
});

describe('the report to setup', () => {
  it('is sent before ingest answers, because Lambda freezes pending work', async () => {
    for (const cache of [whileRotating, cached(documentWith(secret))]) {
      const signalled = Promise.withResolvers<void>();
      const { post } = ingest({ cache, sendSignal: () => signalled.promise });
      const order: string[] = [];
      const answered = post(early).then(() => order.push('answered'));
      // Everything that does not wait for the signal is done by then.
      await new Promise((resolve) => setImmediate(resolve));
      order.push('signalled');
      signalled.resolve();
      await answered;
      expect(order).toEqual(['signalled', 'answered']);
    }
  });

  it('may fail: ingest logs the failure, and its answer is the same', async () => {
    for (const [cache, statusCode] of [
      [whileRotating, 200],
      [cached(documentWith(secret)), 401],
    ] as const) {
      const { post, lines, text } = ingest({ cache, sendSignal: failing });
      expect(await post(early)).toMatchObject({ statusCode });
      expect(lines).toContainEqual({
        name: 'SIGNAL_NOT_SENT',
        fields: { error: 'TimeoutError', mismatches: 1 },
      });
      expect(text()).not.toMatch(/2025550143|detail|whsec/);
    }
    const { post } = ingest({ sendSignal: () => Promise.reject('no') });
    expect(await post(early)).toMatchObject({ statusCode: 401 });
  });
});
