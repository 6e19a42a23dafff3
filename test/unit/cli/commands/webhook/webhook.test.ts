import { describe, expect, it } from 'vitest';
import type { WebhookReport } from '../../../../../functions/registration/webhook-report.ts';
import { noonPlus } from '../../support/harness.ts';
import { answering, registered, withSecret } from '../../support/webhook.ts';

const minute = 60_000;
const elsewhere = { state: 'elsewhere', registeredUrl: 'https://other.example.test/hook' } as const;

describe('webhook', () => {
  it.each<[string, Partial<WebhookReport>, string[], number, string[]]>([
    ['its own URL is renewed', {}, [], 0, ['status', 'register']],
    ['another URL is not replaced by itself', elsewhere, [], 2, ['status']],
    ['another URL is replaced with --confirm', elsewhere, ['--confirm'], 0, ['status', 'register']],
  ])('register: %s', async (_, state, options, expected, actions) => {
    const { sms, asked } = answering(({ action }) =>
      action === 'status' ? { ...registered, ...state } : registered,
    );
    const { code, err } = await sms('webhook', 'register', ...options);
    expect([code, asked.map(({ action }) => action)]).toEqual([expected, actions]);
    if (expected !== 0) expect(err).toContain('https://other.example.test/hook, and would send them here');
  });

  it("shows the pipeline's own state when the service does not answer, and fails", async () => {
    const serviceFailure = 'read webhook: the SMS service answered 503';
    const answer = { ...registered, state: 'unknown', registeredUrl: '', serviceFailure };
    const { code, out, err } = await answering(() => answer).sms('webhook', 'status');
    expect(code).toBe(1);
    expect(out).toContain('unknown: the SMS service did not answer');
    expect(out).toContain(`Service     ${serviceFailure}`);
    expect(err).toContain(serviceFailure);
  });

  it.each<[string, Partial<WebhookReport>]>([
    ['elsewhere: the SMS service sends its events to another URL', { state: 'elsewhere' }],
    ['deactivated: the SMS service sends no events', { state: 'deactivated', registeredUrl: '' }],
    ['Service     no URL', { state: 'never-configured', registeredUrl: '' }],
    ['Desired     nothing yet: this pipeline never registered', { desiredState: null }],
    ['Secret      none stored: no event can be verified', withSecret({ stored: false })],
    [
      'stored 1 h ago (2026-01-15 08:00:00 -03:00); the SMS service has none to compare with',
      withSecret({ matchesService: null }),
    ],
    [
      'stored, not the one at the SMS service: sms webhook register repairs it',
      withSecret({ matchesService: false, since: null }),
    ],
    [
      'not the one at the SMS service: sms webhook rotate --force repairs it',
      {
        ...withSecret({ matchesService: false }),
        lastReconcile: { at: noonPlus(-minute), failure: 'replaced-secret' },
      },
    ],
    [
      'Previous    also accepted for 23 h 59 min more, until 2026-01-16 08:59:00 -03:00',
      withSecret({ previousValidUntil: noonPlus(24 * 60 * minute - minute) }),
    ],
    [
      'Rotation    under way, begun 2.1 s ago (2026-01-15 08:59:57 -03:00) by run 1\n',
      withSecret({ rotating: { since: noonPlus(-2_100), by: 'run\u001b[2J 1' } }),
    ],
    [
      'Rotation    unconfirmed, begun 15 s ago (2026-01-15 08:59:45 -03:00) by run 1: its secret is stored, the mark remains until 2026-01-15 09:02:45 -03:00',
      withSecret({ since: noonPlus(-2_000), rotating: { since: noonPlus(-15_000), by: 'run 1' } }),
    ],
    [
      'Rotation    left unfinished, begun 3 min ago (2026-01-15 08:57:00 -03:00) by run 1: sms webhook reconcile ends it',
      withSecret({ rotating: { since: noonPlus(-3 * minute), by: 'run 1' } }),
    ],
    [
      'the SMS service has a newer one, which the rotation stores',
      withSecret({ matchesService: false, rotating: { since: noonPlus(-2_100), by: 'run 1' } }),
    ],
    [
      'Drift       the URL was changed and the secret was rotated elsewhere, found 7 min ago (2026-01-15 08:53:00 -03:00): sms webhook register repairs it',
      { drift: { kinds: ['url-changed', 'secret-rotated'], since: noonPlus(-7 * minute) } },
    ],
    [
      'Reconciled  failed 3 min ago (2026-01-15 08:57:00 -03:00): timeout',
      { lastReconcile: { at: noonPlus(-3 * minute), failure: 'time\u0007out' } },
    ],
    ['Verified    no event yet', { lastVerifiedAt: null }],
    ['Mismatches  at least 41 in the last hour', { mismatchesLastHour: 41 }],
  ])('says "%s"', async (line, report) => {
    const { out } = await answering(() => ({ ...registered, ...report })).sms('webhook', 'status');
    expect(out).toContain(line);
  });

  it("shows only the pipeline's own state when registration is off", async () => {
    const byHand: WebhookReport = {
      ...withSecret({ matchesService: null, previousValidUntil: noonPlus(60 * minute) }),
      state: 'by-hand',
      registeredUrl: '',
      desiredState: null,
      lastReconcile: null,
      mismatchesLastHour: 7,
    };
    const { code, out, err } = await answering(() => byHand).sms('webhook', 'status');
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(
      'by-hand: sms:registration is off, so people enter it in the console of the SMS service\n',
    );
    expect(out).toContain('Secret      stored 1 h ago (2026-01-15 08:00:00 -03:00)\n');
    expect(out).not.toMatch(/Wanted|Service|Reconciled/);
    const without = { ...byHand, ...withSecret({ stored: false }), state: 'by-hand' };
    expect((await answering(() => without).sms('webhook', 'status')).out).toContain(
      'none stored: no event can be verified; sms webhook store-secret stores it\n',
    );
  });

  it.each([
    ['status'],
    ['status', '--json'],
    ['rotate', '--force', '--confirm'],
    ['rotate', '--force', '--no-overlap', '--confirm', '--json'],
  ])('%s %s never shows a secret, also if the answer holds one', async (...args) => {
    const hidden = { secret: 'whsec_c2VjcmV0', token: 'whsec_c2VjcmV0' };
    const report = withSecret({ previousValidUntil: noonPlus(minute) });
    const { sms } = answering(() => ({
      ...report,
      apiKey: 'whsec_c2VjcmV0',
      current: hidden,
      secret: { ...report.secret, current: hidden, value: 'whsec_c2VjcmV0' },
      drift: { kinds: ['secret-rotated'], since: noonPlus(0), ...hidden },
      lastReconcile: { at: noonPlus(0), failure: null, ...hidden },
    }));
    const { code, out, err } = await sms('webhook', ...args);
    expect(code).toBe(0);
    expect(out + err).not.toContain('whsec');
  });

  it('shows why the setup function failed', async () => {
    const error = { kind: 'validation', message: 'set webhook: the SMS service answered 422:\u001b[2J no' };
    expect(await answering(() => ({ error })).sms('webhook', 'register', '--json')).toEqual({
      code: 1,
      out: '',
      err: 'error: set webhook: the SMS service answered 422: no (validation)\n',
    });
  });

  it.each([
    undefined,
    {},
    { ...registered, state: 'asleep' },
    { ...registered, lastVerifiedAt: 'yesterday' },
    { ...registered, drift: { kinds: ['moved'], since: noonPlus(0) } },
  ])('fails on an answer in an unknown format: %j', async (answer) => {
    const { code, out, err } = await answering(() => answer).sms('webhook', 'status');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('answered in an unknown format');
  });
});
