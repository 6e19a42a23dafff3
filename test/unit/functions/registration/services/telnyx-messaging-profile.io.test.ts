import { describe, expect, it } from 'vitest';
import { answer, hang } from '../../base/sms-service/scripted-server.ts';
import { elsewhere, start, webhookUrl } from './registration-under-test.ts';

const id = '00000000-0000-4000-8000-000000000001';
const read = `GET /v2/messaging_profiles/${id}`;
const set = `PATCH /v2/messaging_profiles/${id}`;
const apiKey = 'KEY-of-the-test';

/** The documented answer to reading and to updating a messaging profile, with other values. */
const profile = (fields: object = {}) => ({
  data: {
    record_type: 'messaging_profile',
    id,
    name: 'A messaging profile',
    webhook_url: webhookUrl,
    webhook_failover_url: null,
    enabled: true,
    webhook_api_version: '2',
    whitelisted_destinations: ['US'],
    created_at: '2026-01-15T12:00:00.000Z',
    updated_at: '2026-01-15T12:00:00.000Z',
    number_pool_settings: null,
    url_shortener_settings: null,
    v1_secret: 'a-v1-secret-of-the-test',
    health_webhook_url: null,
    mms_fall_back_to_sms: false,
    mms_transcoding: false,
    daily_spend_limit: '100.00',
    daily_spend_limit_enabled: false,
    redaction_enabled: false,
    redaction_level: 2,
    mobile_only: false,
    ...fields,
  },
});

/** The documented form of an error. */
const failure = (code: string, title: string, detail: string) => ({ errors: [{ code, title, detail }] });

const startTelnyx = (script: Parameters<typeof start>[2]) =>
  start({ kind: 'telnyx-messaging-profile', id }, apiKey, script);

describe('a messaging profile of Telnyx', () => {
  it('is read with the key as a Bearer token, without its v1 secret', async () => {
    const { registration, server } = await startTelnyx({ [read]: [answer(200, profile())] });
    expect(await registration.read()).toEqual({ kind: 'ok', value: { url: webhookUrl, secret: undefined } });
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      headers: { authorization: `Bearer ${apiKey}` },
      body: '',
    });
  });

  it.each([
    ['another URL', { webhook_url: elsewhere }, { url: elsewhere, secret: undefined }],
    ['no URL', { webhook_url: null }, { url: '', secret: undefined }],
    ['an empty URL', { webhook_url: '' }, { url: '', secret: undefined }],
    [
      'no URL, so that the version of webhooks does not matter',
      { webhook_url: null, webhook_api_version: '1' },
      { url: '', secret: undefined },
    ],
    [
      'another version of webhooks',
      { webhook_api_version: '1' },
      { url: webhookUrl, secret: undefined, hasWrongSettings: true },
    ],
  ])('shows %s', async (_, fields, value) => {
    const { registration } = await startTelnyx({ [read]: [answer(200, profile(fields))] });
    expect(await registration.read()).toEqual({ kind: 'ok', value });
  });

  it('gets the URL and the version as JSON', async () => {
    const { registration, server } = await startTelnyx({ [set]: [answer(200, profile())] });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok', value: { url: webhookUrl } });
    const [request] = server.requests;
    expect(request?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request?.body ?? '')).toEqual({ webhook_url: webhookUrl, webhook_api_version: '2' });
  });

  it('gets null as its URL to be deactivated', async () => {
    const { registration, server } = await startTelnyx({
      [set]: [answer(200, profile({ webhook_url: null }))],
    });
    expect(await registration.deactivate()).toMatchObject({ kind: 'ok', value: { url: '' } });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ webhook_url: null });
  });

  it('cannot rotate, and says what to do instead', async () => {
    const { registration, server } = await startTelnyx({});
    expect(registration.rotates).toBe(false);
    expect(await registration.rotate(webhookUrl)).toMatchObject({
      kind: 'error',
      error: { kind: 'not-sent', reason: expect.stringContaining('webhook store-secret') },
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [401, failure('10009', 'Authentication failed', 'The headers were invalid.'), 'unauthorized'],
    [404, failure('10005', 'Resource not found', 'The resource could not be found.'), 'not-found'],
    [422, failure('10003', 'Invalid URL', 'The URL provided was invalid.'), 'validation'],
  ])('fails at once with the words of Telnyx on %i', async (status, body, kind) => {
    const { registration, server, sleeps } = await startTelnyx({ [set]: [answer(status, body)] });
    expect(await registration.set(webhookUrl)).toEqual({
      kind: 'error',
      error: { kind, operation: 'set webhook', status, body: JSON.stringify(body) },
    });
    expect([server.count(set), sleeps]).toEqual([1, []]);
  });

  it('is called again after 429, when Retry-After says', async () => {
    const body = failure('10011', 'Too many requests', 'You have exceeded the maximum number of requests.');
    const { registration, sleeps } = await startTelnyx({
      [set]: [answer(429, body, { 'retry-after': '7' }), answer(200, profile())],
    });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok' });
    expect(sleeps[0]).toBeGreaterThanOrEqual(7_000);
  });

  it.each([
    ['a 503', answer(503, 'down')],
    ['a timeout', hang],
  ])('is called again after %s', async (_, step) => {
    const { registration, server } = await startTelnyx({ [set]: [step, answer(200, profile())] });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok' });
    expect(server.count(set)).toBe(2);
  });

  it('shows neither the key nor the v1 secret in an error', async () => {
    const { registration } = await startTelnyx({
      [read]: [answer(403, { key: apiKey, v1_secret: 'a-v1-secret-of-the-test' })],
    });
    expect(await registration.read()).toMatchObject({
      error: { kind: 'refused', body: '{"key":"[redacted]","v1_secret":"[redacted]"}' },
    });
  });

  it('with another answer is rejected', async () => {
    const { registration } = await startTelnyx({ [read]: [answer(200, [])] });
    expect(await registration.read()).toMatchObject({ error: { kind: 'unexpected-answer' } });
  });
});
