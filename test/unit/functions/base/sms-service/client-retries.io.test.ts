import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { failure, good, read, set, start, webhook } from './client-under-test.ts';
import { answer, breakOff, hang } from './scripted-server.ts';

describe('the SMS service client', () => {
  it('backs off on 5xx and gives up after its last attempt', async () => {
    const { registration, server, sleeps } = await start({ [read]: [failure] });
    expect(await registration.read()).toEqual({
      kind: 'error',
      error: {
        kind: 'server',
        operation: 'read webhook',
        status: 500,
        body: '{"error":"down"}',
        retryAfterMs: null,
      },
    });
    expect(server.count(read)).toBe(5);
    expect(sleeps).toEqual([125, 250, 500, 1000]);
  });

  it.each([
    ['seconds', '3', 3_125],
    ['an HTTP date', 'Thu, 15 Jan 2026 12:00:05 GMT', 5_125],
    ['nothing it can read', 'soon', 125],
  ])('honours Retry-After in %s', async (_, header, slept) => {
    const { registration, sleeps } = await start({
      [set]: [answer(429, '', { 'retry-after': header }), good],
    });
    expect(await registration.set(webhook.url)).toMatchObject({ kind: 'ok' });
    expect(sleeps).toEqual([slept]);
  });

  it.each([
    ['server', failure],
    ['timeout', hang],
    ['network', breakOff],
  ])('never repeats a rotation that the service may have done: %s', async (kind, step) => {
    const { registration, server, sleeps } = await start({ [set]: [step, good] });
    expect(await registration.rotate(webhook.url)).toMatchObject({
      error: { kind, operation: 'set webhook' },
    });
    expect([server.count(set), sleeps]).toEqual([1, []]);
  });

  it('repeats a rotation that the service rejected temporarily', async () => {
    const { registration } = await start({ [set]: [answer(429), answer(429), good] });
    expect(await registration.rotate(webhook.url)).toMatchObject({ kind: 'ok' });
  });

  it('sets a URL again after a timeout, because the call is idempotent', async () => {
    const { registration, sleeps } = await start({ [set]: [hang, good] });
    expect(await registration.set(webhook.url)).toMatchObject({ kind: 'ok' });
    expect(sleeps).toEqual([125]);
  });

  it.each([
    ['GET', 5],
    ['PUT', 5],
    ['DELETE', 5],
    ['POST', 1],
    ['PATCH', 1],
  ] as const)('sends a %s request with an unknown effect %i times on 500', async (method, count) => {
    const { client, server } = await start({ [`${method} /v1/x`]: [failure] });
    expect(await client.request(method, '/v1/x', method === 'GET' ? undefined : {})).toMatchObject({
      error: { kind: 'server' },
    });
    expect(server.count(`${method} /v1/x`)).toBe(count);
  });
});

describe('the SMS service client, with a time limit,', () => {
  it('ends an attempt without an answer, and the call after all its attempts', async () => {
    const { registration, server } = await start({ [read]: [hang] }, { limits: { attempts: 3 } });
    expect(await registration.read()).toEqual({
      kind: 'error',
      error: { kind: 'timeout', operation: 'read webhook', afterMs: 10_000 },
    });
    expect(server.count(read)).toBe(3);
  });

  it('gives each attempt at most the time left for the call', async () => {
    const { registration, timeouts } = await start(
      { [read]: [failure] },
      { limits: { totalMs: 600, attemptTimeoutMs: 500 } },
    );
    await registration.read();
    // The exchange, then tries after pauses of 125 and 250 ms; a pause of 500 ms no longer fits.
    expect(timeouts).toEqual([500, 500, 475, 225]);
  });

  it('starts no call after its deadline', async () => {
    const now = Date.parse('2026-01-15T12:00:00.000Z');
    const { registration, server } = await start(
      { [read]: [good] },
      { deadline: deadlineAt(now, () => now) },
    );
    expect(await registration.read()).toEqual({
      kind: 'error',
      error: { kind: 'timeout', operation: 'exchange token', afterMs: 0 },
    });
    expect(server.requests).toEqual([]);
  });
});
