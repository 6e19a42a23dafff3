import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createEventReceiver } from '../../../../../functions/automations/forward/event-receiver-client.ts';
import {
  ForwardError,
  forwardDelaysSeconds,
  forwardEvent,
} from '../../../../../functions/automations/forward/forward-event.ts';
import { createSigningSecret } from '../../../../../functions/automations/forward/signing-secret-store.ts';
import { answer, createScriptedService, hang, type Step } from '../../base/sms-service/scripted-server.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_AAAQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const eventId = '0123456789abcdef0123456789abcdef';
const optOut = {
  pipeline: 'Sms',
  version: 1,
  eventId,
  phone: '+12025550143',
  by: 'person',
  replyId: 'r1',
  occurredAt: '2026-01-15T12:00:00.123Z',
};
const card = { pipeline: 'Sms', version: 1, eventId, state: 'no-default-card' };

function message(detailType = 'SMS Opt-Out', detail: unknown = optOut): string {
  const time = '2026-01-15T12:00:05Z';
  return JSON.stringify({ source: 'sms.pipeline', 'detail-type': detailType, time, detail });
}

const good = answer(204);

/** A receiver that plays these steps, and forwarding to it. */
function start(steps: readonly Step[], read = async () => secret) {
  const limit = new AbortController();
  const service = createScriptedService({ 'POST /hooks/sms': steps }, () => limit.abort());
  const receiver = createEventReceiver(`${service.url}/hooks/sms`, {
    fetch: service.fetch,
    timeoutSignal: () => limit.signal,
    clock: Date.now,
  });
  const signing = createSigningSecret(read, Date.now);
  const forward = (body = message()) => forwardEvent(body, { receiver, secret: signing, clock: Date.now });
  return { posts: service.requests, forward };
}

/** Whether the reference library verifies a post with this secret. */
function verifies(post: ReturnType<typeof start>['posts'][number] | undefined, key: string): boolean {
  const headers = Object.entries(post?.headers ?? {}).map(([name, value]) => [name, String(value)]);
  try {
    new Webhook(key).verify(post?.body ?? '', Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  }
}

describe('a forwarded event', () => {
  it('is posted as JSON that the reference library verifies with the same secret', async () => {
    const { posts, forward } = start([good]);
    await forward();
    const [post] = posts;
    expect(post).toMatchObject({
      method: 'POST',
      path: '/hooks/sms',
      headers: { 'content-type': 'application/json', 'webhook-id': eventId },
    });
    expect([verifies(post, secret), verifies(post, other)]).toEqual([true, false]);
    expect(JSON.parse(post?.body ?? '')).toEqual({
      type: 'SMS Opt-Out',
      timestamp: '2026-01-15T12:00:00.123Z',
      data: optOut,
    });
  });

  it.each([
    ['SMS Billing Card Expiring', card, '2026-01-15T12:00:05Z'],
    [
      'SMS Delivery Stale',
      {
        pipeline: 'Sms',
        version: 1,
        eventId,
        messageId: 'm1',
        firstSeenAt: '2026-01-12T11:00:00.000Z',
        staleAt: '2026-01-15T11:00:00.000Z',
      },
      '2026-01-15T11:00:00.000Z',
    ],
  ])('%s has the time of its cause, or else the time of its publication', async (type, detail, timestamp) => {
    const { posts, forward } = start([good]);
    await forward(message(type, detail));
    expect(JSON.parse(posts[0]?.body ?? '')).toEqual({ type, timestamp, data: detail });
  });

  it('is the same in each attempt', async () => {
    const { posts, forward } = start([answer(500), good]);
    await expect(forward()).rejects.toBeInstanceOf(ForwardError);
    await forward();
    expect(posts[1]?.body).toBe(posts[0]?.body);
    expect(posts[1]?.headers['webhook-id']).toBe(posts[0]?.headers['webhook-id']);
  });
});

describe('the answer of the receiver', () => {
  it.each([200, 204, 299])('with %i is a success, with any body', async (status) => {
    const { forward } = start([answer(status, 'thank you')]);
    await expect(forward()).resolves.toBeUndefined();
  });

  it.each([300, 301, 302, 304, 307, 308, 400, 404, 410, 500, 503])(
    'with %i is a failure, which names only the status, and no redirect is followed',
    async (status) => {
      const { forward, posts } = start([answer(status, 'about a person', { location: '/elsewhere' })]);
      await expect(forward()).rejects.toThrow(new ForwardError(`the receiver answered ${status}`));
      expect(posts).toHaveLength(1);
    },
  );

  it.each([
    [429, '120', 120],
    [503, '3600', 3600],
    [429, '86400', 3600],
    [429, 'soon', 0],
    [503, 'soon', undefined],
  ])('with %i may ask to wait %s', async (status, header, seconds) => {
    const { forward } = start([answer(status, '', { 'retry-after': header })]);
    await expect(forward()).rejects.toMatchObject({ name: 'ForwardError', seconds });
  });

  it.each<[string, Step, string]>([
    ['that misses the deadline', hang, 'the receiver did not answer in time'],
    ['that is lost with its connection', () => 'reset', 'the receiver could not be reached (ECONNRESET)'],
  ])('%s is a failure, without the URL', async (_, step, message) => {
    await expect(start([step]).forward()).rejects.toThrow(new ForwardError(message));
  });
});

describe('the forward secret', () => {
  it.each([401, 403])('is read again after %i, once', async (status) => {
    const secrets = [secret, other];
    let reads = 0;
    const { posts, forward } = start([good, answer(status), good], async () => secrets[reads++] ?? other);
    await forward();
    await expect(forward()).rejects.toThrow(`answered ${status}`);
    await forward();
    await forward();
    expect(reads).toBe(2);
    expect(posts.map((post) => verifies(post, other))).toEqual([false, false, true, true]);
  });

  it('that cannot be read fails the event, which is never posted unsigned', async () => {
    const { posts, forward } = start([good], () => Promise.reject(new Error('no secret')));
    await expect(forward()).rejects.toThrow('no secret');
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
    return { signing, advance: (ms: number) => (now += ms) };
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
    const { signing, advance } = cache();
    const old = await signing.current();
    advance(300_000);
    await signing.current();
    signing.forget(old);
    expect(await signing.current()).toBe('whsec_2');
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

it('the retry schedule of forwarding lasts about 24 hours, each wait longer than the one before and at most the maximum of SQS', () => {
  const hours = forwardDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(23.5);
  expect(hours).toBeLessThanOrEqual(24.5);
  expect([...forwardDelaysSeconds]).toEqual([...new Set(forwardDelaysSeconds)].sort((a, b) => a - b));
  expect(Math.max(...forwardDelaysSeconds)).toBeLessThanOrEqual(12 * 3600);
});
