import { describe, expect, it } from 'vitest';
import type { CaptureReport } from '../../../../../functions/webhook/secret-document.ts';
import { noonPlus } from '../../support/harness.ts';
import { answering } from '../../support/webhook.ts';

const hour = 3_600_000;
const off: CaptureReport = { capture: null, setting: null };
const on: CaptureReport = {
  capture: { until: noonPlus(2 * hour), decidedBy: 'command', captured: 12, leftOut: 3 },
  setting: null,
};

describe('contract capture', () => {
  it.each([
    [['on', '--for', '2h'], { action: 'capture', forMs: 2 * hour }],
    [['on', '--for', '1m'], { action: 'capture', forMs: 60_000 }],
    [['on', '--for', '24h'], { action: 'capture', forMs: 24 * hour }],
    [['on'], { action: 'capture', forMs: hour }],
    [['off'], { action: 'capture', forMs: 0 }],
    [['status'], { action: 'capture' }],
    [[], { action: 'capture' }],
  ])('%j sends exactly this request to the setup function', async (args, payload) => {
    const { sms, asked } = answering(() => on);
    const { code, out, err } = await sms('contract', 'capture', ...args);
    expect([code, err, asked]).toEqual([0, '', [payload]]);
    expect(out.split('\n')).toEqual([
      'Capture   on, by contract capture on: unverifiable requests are kept in quarantine',
      'Until     2026-01-15 11:00:00 -03:00, for another 2 h',
      'Captured  at least 12; quarantine list --reason captured shows all',
      'Left out  at least 3: refused, because too large or above the limit of an instance',
      'Setting   not set',
      '',
    ]);
  });

  it.each([
    [
      { ...off, setting: noonPlus(hour) },
      'Capture  off: unverifiable requests are refused\nSetting  until 2026-01-15 10:00:00 -03:00\n',
    ],
    [{ ...on, capture: { ...on.capture, decidedBy: 'setting' } }, 'on, by the setting captureUntil'],
  ])('shows whether a capture is on, and the setting: case %#', async (report, lines) => {
    expect((await answering(() => report).sms('contract', 'capture')).out).toContain(lines);
  });

  it('writes the report as JSON, without unknown properties', async () => {
    const { out } = await answering(() => ({ ...on, secret: 'whsec_c2VjcmV0' })).sms(
      'contract',
      'capture',
      '--json',
    );
    expect(JSON.parse(out)).toEqual(on);
  });

  it('fails on an answer of another version', async () => {
    const { code, err } = await answering(() => ({ state: 'registered' })).sms('contract', 'capture');
    expect([code, err]).toEqual([1, expect.stringContaining('deploy (or npm start) from the same version')]);
  });
});
