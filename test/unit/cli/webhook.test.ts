import { describe, expect, it } from 'vitest';
import type { WebhookReport } from '../../../functions/core/webhook/registration.ts';
import { commandLine } from './harness.ts';

const registered: WebhookReport = {
  webhookUrl: 'https://api.example.test/webhooks/sms',
  registeredUrl: 'https://api.example.test/webhooks/sms',
  state: 'registered',
  secret: { stored: true, matchesService: true, since: '2026-01-15T12:00:00.000Z', previousValidUntil: null },
};

function answering(answer: unknown) {
  const asked: string[] = [];
  const invokeSetup = async (action: string) => {
    asked.push(action);
    return answer;
  };
  return { asked, ...commandLine({ connection: { invokeSetup } }) };
}

describe('webhook', () => {
  it.each(['status', 'register', 'deactivate'])(
    '%s asks the setup function for just that',
    async (action) => {
      const { sms, asked } = answering(registered);
      const { code, out, err } = await sms('webhook', action);
      expect([code, err, asked]).toEqual([0, '', [action]]);
      expect(out).toBe(
        [
          'Webhook   registered: the SMS service sends its events here',
          'Pipeline  https://api.example.test/webhooks/sms',
          'Service   https://api.example.test/webhooks/sms',
          'Secret    stored since 2026-01-15 09:00:00 -03:00, the same as at the SMS service',
          '',
        ].join('\n'),
      );
    },
  );

  it.each<[string, Partial<WebhookReport>, Partial<WebhookReport['secret']>]>([
    ["elsewhere: the SMS service sends its events to somebody else's URL", { state: 'elsewhere' }, {}],
    ['deactivated: the SMS service sends no events', { state: 'deactivated', registeredUrl: '' }, {}],
    ['Service   no URL', { state: 'never-configured', registeredUrl: '' }, {}],
    ['Secret    none stored: no event can be verified', {}, { stored: false }],
    ['stored since 2026-01-15 09:00:00 -03:00; the SMS service told none', {}, { matchesService: null }],
    ['stored, not the one at the SMS service', {}, { matchesService: false, since: null }],
    [
      'Previous  also accepted until 2026-01-16 09:00:00 -03:00',
      {},
      { previousValidUntil: '2026-01-16T12:00:00.000Z' },
    ],
  ])('says "%s"', async (line, report, secret) => {
    const { sms } = answering({ ...registered, ...report, secret: { ...registered.secret, ...secret } });
    expect((await sms('webhook', 'status')).out).toContain(line);
  });

  it.each([[], ['--json']])('never shows a secret, also if the answer holds one: %s', async (...options) => {
    const secret = { ...registered.secret, current: 'whsec_c2VjcmV0', value: 'whsec_c2VjcmV0' };
    const { sms } = answering({ ...registered, secret, apiKey: 'whsec_c2VjcmV0' });
    const { code, out, err } = await sms(
      'webhook',
      'status',
      ...options.filter((word) => word !== undefined),
    );
    expect(code).toBe(0);
    expect(out + err).not.toContain('whsec');
  });

  it('gives one JSON document', async () => {
    const { out, err } = await answering(registered).sms('webhook', 'status', '--json');
    expect([JSON.parse(out), err]).toEqual([registered, '']);
  });

  it('tells why the setup function could not do it', async () => {
    const error = { kind: 'validation', message: 'set webhook: the SMS service answered 422:\u001b[2J no' };
    expect(await answering({ error }).sms('webhook', 'register', '--json')).toEqual({
      code: 1,
      out: '',
      err: 'error: set webhook: the SMS service answered 422: no (validation)\n',
    });
  });

  it.each([undefined, null, 'text', {}, { ...registered, state: 'asleep' }])(
    'fails on an answer it does not know: %j',
    async (answer) => {
      const { code, out, err } = await answering(answer).sms('webhook', 'status');
      expect([code, out]).toEqual([1, '']);
      expect(err).toContain('something this version does not know');
    },
  );
});
