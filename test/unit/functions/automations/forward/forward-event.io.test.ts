import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createEventReceiver } from '../../../../../functions/automations/forward/event-receiver-client.ts';
import { ForwardError, forwardEvent } from '../../../../../functions/automations/forward/forward-event.ts';
import { createSigningSecret } from '../../../../../functions/automations/forward/signing-secret-store.ts';
import { createHttpFetch } from '../../../../../functions/runtime/http.ts';
import { startReceiver } from './receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_AAAQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const eventId = '0123456789abcdef0123456789abcdef';
const optOut = {
  version: 1,
  eventId,
  phone: '+12025550143',
  replyId: 'r1',
  occurredAt: '2026-01-15T12:00:00.123Z',
};
const card = { version: 1, eventId, state: 'no-default-card' };

function message(detailType = 'SMS Opt-Out', detail: unknown = optOut): string {
  const time = '2026-01-15T12:00:05Z';
  return JSON.stringify({ source: 'sms.pipeline', 'detail-type': detailType, time, detail });
}

const never = () => new AbortController().signal;

function forwarder(url: string, { read = async () => secret, timeoutSignal = never } = {}) {
  const receiver = createEventReceiver(url, {
    fetch: createHttpFetch(Date.now),
    timeoutSignal,
    clock: Date.now,
  });
  const signing = createSigningSecret(read, Date.now);
  return (body = message()) => forwardEvent(body, { receiver, secret: signing, clock: Date.now });
}

describe('a forwarded event', () => {
  it('is posted as JSON that the reference library verifies with the same secret', async () => {
    const { url, posts } = await startReceiver((response) => response.writeHead(204).end());
    await forwarder(url)();
    const [post] = posts;
    expect(post).toMatchObject({
      method: 'POST',
      path: '/hooks/sms',
      headers: { 'content-type': 'application/json', 'webhook-id': eventId },
    });
    const headers = Object.fromEntries(
      Object.entries(post?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(post?.body ?? '', headers)).toEqual({
      type: 'SMS Opt-Out',
      timestamp: '2026-01-15T12:00:00.123Z',
      data: optOut,
    });
    expect(() => new Webhook(other).verify(post?.body ?? '', headers)).toThrow();
  });

  it.each([
    ['SMS Billing Card Expiring', card, '2026-01-15T12:00:05Z'],
    [
      'SMS Delivery Stale',
      {
        version: 1,
        eventId,
        messageId: 'm1',
        firstSeenAt: '2026-01-12T11:00:00.000Z',
        staleAt: '2026-01-15T11:00:00.000Z',
      },
      '2026-01-15T11:00:00.000Z',
    ],
  ])('%s has the time of its cause, or else the time of its publication', async (type, detail, timestamp) => {
    const { url, posts } = await startReceiver((response) => response.end());
    await forwarder(url)(message(type, detail));
    expect(JSON.parse(posts[0]?.body ?? '')).toEqual({ type, timestamp, data: detail });
  });

  it('is the same in each attempt', async () => {
    const { url, posts } = await startReceiver((response, count) =>
      response.writeHead(count === 1 ? 500 : 200).end(),
    );
    const forward = forwarder(url);
    await expect(forward()).rejects.toBeInstanceOf(ForwardError);
    await forward();
    expect(posts[1]?.body).toBe(posts[0]?.body);
    expect(posts[1]?.headers['webhook-id']).toBe(posts[0]?.headers['webhook-id']);
  });
});

describe('the answer of the receiver', () => {
  it.each([200, 201, 202, 204, 299])('with %i is a success, with any body', async (status) => {
    const { url } = await startReceiver((response) =>
      response.writeHead(status, { 'content-length': status === 204 ? '0' : '100' }).flushHeaders(),
    );
    await forwarder(url)();
  });

  it.each([300, 304, 400, 404, 410, 500, 503])(
    'with %i is a failure, which names only the status',
    async (status) => {
      const { url } = await startReceiver((response) => response.writeHead(status).end());
      await expect(forwarder(url)()).rejects.toThrow(new ForwardError(`the receiver answered ${status}`));
    },
  );

  it.each([301, 302, 307, 308])('with %i is not followed', async (status) => {
    const { url, posts } = await startReceiver((response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(),
    );
    await expect(forwarder(url)()).rejects.toThrow(`the receiver answered ${status}`);
    expect(posts).toHaveLength(1);
  });

  it.each([
    [429, '120', 120],
    [503, '3600', 3600],
    [429, '86400', 3600],
    [429, 'soon', 0],
    [503, 'soon', undefined],
  ])('with %i may ask to wait %s', async (status, header, seconds) => {
    const { url } = await startReceiver((response) =>
      response.writeHead(status, { 'retry-after': header }).end(),
    );
    await expect(forwarder(url)()).rejects.toMatchObject({ name: 'ForwardError', seconds });
  });

  it('that misses the deadline is a failure', async () => {
    const timeout = new AbortController();
    const { url } = await startReceiver(() => timeout.abort());
    await expect(forwarder(url, { timeoutSignal: () => timeout.signal })()).rejects.toThrow(
      'the receiver did not answer in time',
    );
  });

  it('that is lost with its connection is a failure, without the URL', async () => {
    const { url, close } = await startReceiver(() => undefined);
    await close();
    await expect(forwarder(url)()).rejects.toThrow(/^the receiver could not be reached \(ECONNREFUSED\)$/);
  });
});

describe('the forward secret', () => {
  it.each([401, 403])('is read again after %i, once', async (status) => {
    const { url, posts } = await startReceiver((response, count) =>
      response.writeHead(count === 2 ? status : 200).end(),
    );
    const secrets = [secret, other];
    let reads = 0;
    const forward = forwarder(url, { read: async () => secrets[reads++] ?? other });
    await forward();
    await expect(forward()).rejects.toThrow(`answered ${status}`);
    await forward();
    await forward();
    expect(reads).toBe(2);
    const signatures = posts.map(({ body, headers }) => {
      const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      try {
        return new Webhook(other).verify(body, given) && 'new';
      } catch {
        return 'old';
      }
    });
    expect(signatures).toEqual(['old', 'old', 'new', 'new']);
  });

  it('that cannot be read fails the event, which is never posted unsigned', async () => {
    const { url, posts } = await startReceiver((response) => response.end());
    const read = () => Promise.reject(new Error('no secret'));
    await expect(forwarder(url, { read })()).rejects.toThrow('no secret');
    expect(posts).toEqual([]);
  });
});

describe('the forward secret cache', () => {
  function cache() {
    let now = 0;
    let reads = 0;
    const signing = createSigningSecret(
      async () => `whsec_${++reads}`,
      () => now,
    );
    return { signing, reads: () => reads, advance: (ms: number) => (now += ms) };
  }

  it('reads once for concurrent callers, and again after five minutes', async () => {
    const { signing, advance } = cache();
    expect(await Promise.all([signing.current(), signing.current()])).toEqual(['whsec_1', 'whsec_1']);
    advance(299_999);
    expect(await signing.current()).toBe('whsec_1');
    advance(1);
    expect(await signing.current()).toBe('whsec_2');
  });

  it('keeps a newer secret than the rejected one', async () => {
    const { signing, advance, reads } = cache();
    const old = await signing.current();
    advance(300_000);
    await signing.current();
    signing.forget(old);
    expect(await signing.current()).toBe('whsec_2');
    expect(reads()).toBe(2);
  });

  it('reads again after a failed read', async () => {
    let isDown = true;
    const signing = createSigningSecret(
      async () => {
        if (isDown) throw new Error('down');
        return secret;
      },
      () => 0,
    );
    await expect(signing.current()).rejects.toThrow('down');
    isDown = false;
    expect(await signing.current()).toBe(secret);
  });
});
