import { describe, expect, it } from 'vitest';
import type { SetupPayload } from '../../../../../cli/target/stack/setup-function.ts';
import type { WebhookReport } from '../../../../../functions/registration/webhook-report.ts';
import { noonPlus } from '../../support/harness.ts';
import { answering, registered, withSecret } from '../../support/webhook.ts';

const day = 86_400_000;
const minute = 60_000;

const overlapping = withSecret({ previousValidUntil: noonPlus(day - minute) });
const rotated = withSecret({ since: noonPlus(0), previousValidUntil: noonPlus(day) });

const forceWarning =
  'warning: The previous secret is accepted for another 23 h 59 min (until 2026-01-16 08:59:00 -03:00); if the rotation succeeds, events still signed with it are refused from then on.\n';
const overlapWarning =
  'warning: With --no-overlap, events signed with the current secret are refused as soon as the new one is stored, also those that the SMS service retries. An idle instance of ingest may accept the current secret for up to a minute more.\n';

const unstoredWarning =
  'warning: The SMS service shows a secret that is not stored here; if the rotation succeeds, events still signed with it are refused from then on.\n';

/** A setup function that finds `before` and leaves `after`. */
function setup(before: unknown, after: unknown) {
  return ({ action }: SetupPayload) => (action === 'status' ? before : after);
}

describe('webhook rotate', () => {
  it('warns about what --force drops before the rotation', async () => {
    const steps: string[] = [];
    const answer = (payload: SetupPayload) => {
      steps.push(payload.action);
      return setup(overlapping, rotated)(payload);
    };
    const { sms } = answering(answer, { err: (text) => void steps.push(text) });
    const { code, out } = await sms('webhook', 'rotate', '--force', '--confirm', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, rotated]);
    expect(steps).toEqual(['status', forceWarning, 'rotate']);
  });

  it.each<[string[], WebhookReport, string]>([
    [['--force'], registered, ''],
    [['--force'], overlapping, forceWarning],
    [['--force'], withSecret({ matchesService: false }), unstoredWarning],
    [['--no-overlap'], overlapping, overlapWarning],
    [['--force', '--no-overlap'], registered, overlapWarning],
    [['--force', '--no-overlap'], overlapping, forceWarning + overlapWarning],
  ])('%j warns only about what it drops', async (options, before, warnings) => {
    const { sms, asked } = answering(setup(before, registered));
    const { code, out, err } = await sms('webhook', 'rotate', '--confirm', ...options);
    expect([code, err]).toEqual([0, warnings]);
    expect(out).toContain('The secret was rotated; the previous one is no longer accepted.\n');
    expect(asked.at(-1)).toEqual({
      action: 'rotate',
      force: options.includes('--force'),
      overlap: !options.includes('--no-overlap'),
    });
  });

  it('does not rotate when it cannot read what --force drops', async () => {
    const error = { kind: 'timeout', message: 'read webhook: no answer of the SMS service within 10000 ms' };
    const { sms, asked } = answering(setup({ error }, rotated));
    const { code, out } = await sms('webhook', 'rotate', '--force');
    expect([code, out]).toEqual([1, '']);
    expect(asked).toEqual([{ action: 'status' }]);
  });

  it('announces on a terminal, not in a pipe, that it takes a few seconds', async () => {
    const { sms } = answering(setup(registered, rotated), { columns: 80 });
    expect((await sms('webhook', 'rotate')).err).toBe('Rotating the secret; this takes a few seconds.\n');
  });
});
