import { describe, expect, it } from 'vitest';
import { answer, hang } from '../../base/sms-service/scripted-server.ts';
import { elsewhere, start, webhookUrl } from './registration-under-test.ts';

const id = `MG${'0'.repeat(31)}1`;
const read = `GET /v1/Services/${id}`;
const set = `POST /v1/Services/${id}`;
const apiKey = `SK${'0'.repeat(31)}2:a-secret-of-the-test`;

/** The documented answer to reading and to updating a messaging service, with other values. */
const service = (fields: object = {}) => ({
  account_sid: `AC${'0'.repeat(31)}3`,
  sid: id,
  date_created: '2026-01-15T12:00:00Z',
  date_updated: '2026-01-15T12:00:00Z',
  friendly_name: 'A messaging service',
  inbound_request_url: webhookUrl,
  inbound_method: 'POST',
  fallback_url: null,
  fallback_method: 'POST',
  status_callback: webhookUrl,
  sticky_sender: true,
  smart_encoding: false,
  mms_converter: true,
  fallback_to_long_code: true,
  scan_message_content: 'inherit',
  area_code_geomatch: true,
  validity_period: 600,
  synchronous_validation: true,
  usecase: 'notifications',
  us_app_to_person_registered: false,
  use_inbound_webhook_on_number: false,
  links: { phone_numbers: `https://messaging.twilio.com/v1/Services/${id}/PhoneNumbers` },
  url: `https://messaging.twilio.com/v1/Services/${id}`,
  ...fields,
});

/** The documented form of an error. */
const failure = (code: number, message: string, status: number) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

const startTwilio = (script: Parameters<typeof start>[2], key = apiKey) =>
  start({ kind: 'twilio-messaging-service', id }, key, script);

describe('a messaging service of Twilio', () => {
  it('is read with Basic authentication', async () => {
    const { registration, server } = await startTwilio({ [read]: [answer(200, service())] });
    expect(await registration.read()).toEqual({ kind: 'ok', value: { url: webhookUrl, secret: undefined } });
    const authorization = `Basic ${Buffer.from(apiKey).toString('base64')}`;
    expect(server.requests[0]).toMatchObject({ method: 'GET', headers: { authorization }, body: '' });
  });

  it.each([
    ['both elsewhere', { status_callback: elsewhere, inbound_request_url: elsewhere }, elsewhere],
    ['replies elsewhere', { inbound_request_url: elsewhere }, elsewhere],
    ['statuses elsewhere', { status_callback: elsewhere }, elsewhere],
    [
      'replies elsewhere and no statuses',
      { status_callback: null, inbound_request_url: elsewhere },
      elsewhere,
    ],
    ['neither', { status_callback: null, inbound_request_url: null }, ''],
    ['empty texts', { status_callback: '', inbound_request_url: '' }, ''],
  ])('is not registered here with %s', async (_, fields, url) => {
    const { registration } = await startTwilio({ [read]: [answer(200, service(fields))] });
    expect(await registration.read()).toMatchObject({ kind: 'ok', value: { url } });
  });

  it.each([
    ['sends replies by GET', { inbound_method: 'GET' }, webhookUrl],
    [
      'has the URL in another spelling',
      { status_callback: webhookUrl.replace('https://', 'HTTPS://') },
      webhookUrl,
    ],
    ['has no URL for replies', { inbound_request_url: null }, ''],
    ['has no URL for statuses', { status_callback: null }, ''],
  ])('has a wrong setting if it %s', async (_, fields, url) => {
    const { registration } = await startTwilio({ [read]: [answer(200, service(fields))] });
    expect(await registration.read()).toEqual({
      kind: 'ok',
      value: { url, secret: undefined, hasWrongSettings: true },
    });
  });

  it('gets both URLs and the method as a form', async () => {
    const { registration, server } = await startTwilio({ [set]: [answer(200, service())] });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok', value: { url: webhookUrl } });
    const [request] = server.requests;
    expect(request?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      StatusCallback: webhookUrl,
      InboundRequestUrl: webhookUrl,
      InboundMethod: 'POST',
    });
  });

  it('gets empty URLs to be deactivated', async () => {
    const cleared = service({ status_callback: null, inbound_request_url: null });
    const { registration, server } = await startTwilio({ [set]: [answer(200, cleared)] });
    expect(await registration.deactivate()).toMatchObject({ kind: 'ok', value: { url: '' } });
    expect(server.requests[0]?.body).toBe('StatusCallback=&InboundRequestUrl=');
  });

  it('shows that it kept the URLs when it was deactivated', async () => {
    const { registration } = await startTwilio({ [set]: [answer(200, service())] });
    expect(await registration.deactivate()).toMatchObject({ kind: 'ok', value: { url: webhookUrl } });
  });

  it('cannot rotate, and says what to do instead', async () => {
    const { registration, server } = await startTwilio({});
    expect(registration.rotates).toBe(false);
    expect(await registration.rotate(webhookUrl)).toMatchObject({
      kind: 'error',
      error: { kind: 'not-sent', reason: expect.stringContaining('webhook store-secret') },
    });
    expect(server.requests).toEqual([]);
  });

  it.each(['only-a-token', 'a user:with a space', ':no-user', 'no-password:'])(
    'is not called with the key %j',
    async (key) => {
      const { registration, server } = await startTwilio({ [read]: [answer(200, service())] }, key);
      const result = await registration.read();
      expect(result).toMatchObject({
        kind: 'error',
        error: { kind: 'not-sent', reason: expect.stringContaining('user:password') },
      });
      expect(JSON.stringify(result)).not.toContain(key);
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    [401, failure(20003, 'Authenticate', 401), 'unauthorized'],
    [404, failure(20404, 'The requested resource was not found', 404), 'not-found'],
    [400, failure(21609, "Invalid 'StatusCallback'", 400), 'bad-request'],
  ])('fails at once with the words of Twilio on %i', async (status, body, kind) => {
    const { registration, server, sleeps } = await startTwilio({ [set]: [answer(status, body)] });
    expect(await registration.set(webhookUrl)).toEqual({
      kind: 'error',
      error: { kind, operation: 'set webhook', status, body: JSON.stringify(body) },
    });
    expect([server.count(set), sleeps]).toEqual([1, []]);
  });

  it('is called again after 429, when Retry-After says', async () => {
    const throttled = answer(429, failure(20429, 'Too Many Requests', 429), { 'retry-after': '7' });
    const { registration, sleeps } = await startTwilio({ [set]: [throttled, answer(200, service())] });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok' });
    expect(sleeps[0]).toBeGreaterThanOrEqual(7_000);
  });

  it.each([
    ['a 503', answer(503, 'down')],
    ['a timeout', hang],
  ])('is called again after %s', async (_, step) => {
    const { registration, server } = await startTwilio({ [set]: [step, answer(200, service())] });
    expect(await registration.set(webhookUrl)).toMatchObject({ kind: 'ok' });
    expect(server.count(set)).toBe(2);
  });

  it('shows neither the key nor its parts in an error', async () => {
    const [, secret = ''] = apiKey.split(':');
    const basic = Buffer.from(apiKey).toString('base64');
    const { registration } = await startTwilio({
      [read]: [answer(403, `${apiKey} ${secret} ${basic}`)],
    });
    const result = await registration.read();
    expect(result).toMatchObject({ error: { kind: 'refused', body: '[redacted] [redacted] [redacted]' } });
  });

  it('with another answer is rejected', async () => {
    const { registration } = await startTwilio({ [read]: [answer(200, { sid: id })] });
    expect(await registration.read()).toMatchObject({
      error: { kind: 'unexpected-answer', path: '$.status_callback' },
    });
  });
});
