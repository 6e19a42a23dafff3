import { describe, expect, it } from 'vitest';
import { commandLine, noonPlus } from '../../support/harness.ts';

const hour = 3_600_000;

function capturing(until?: string) {
  const known = { until };
  const captureSwitch = async () => ({
    until: async () => known.until,
    set: async (changed: string | undefined) => {
      known.until = changed;
    },
  });
  return { known, ...commandLine({ connection: { captureSwitch } }) };
}

describe('contract capture', () => {
  it.each([
    [['on', '--for', '2h'], noonPlus(2 * hour)],
    [['on', '--for', '1m'], noonPlus(60_000)],
    [['on', '--for', '24h'], noonPlus(24 * hour)],
    [['on'], noonPlus(hour)],
    [['off'], undefined],
    [['status'], noonPlus(5 * hour)],
    [[], noonPlus(5 * hour)],
  ])('%j leaves the end of the capture at %s', async (args, until) => {
    const { sms, known } = capturing(noonPlus(5 * hour));
    expect(await sms('contract', 'capture', ...args)).toMatchObject({ code: 0, err: '' });
    expect(known.until).toBe(until);
  });

  it.each(['25h', '59s', '0m', 'soon'])('refuses a duration of %s', async (duration) => {
    const { sms, known } = capturing();
    const { code, err } = await sms('contract', 'capture', 'on', '--for', duration);
    expect([code, err, known.until]).toEqual([2, expect.stringContaining('from 1m to 24h'), undefined]);
  });

  it.each([
    [undefined, null],
    [noonPlus(-1), null],
    [noonPlus(hour), noonPlus(hour)],
  ])('with the end %s is shown as on until %s', async (until, captureUntil) => {
    const { out } = await capturing(until).sms('contract', 'capture', '--json');
    expect(JSON.parse(out)).toEqual({ captureUntil });
  });
});
