import { describe, expect, it } from 'vitest';
import { commandLine } from '../../support/harness.ts';
import { fakeRecount } from '../../support/recount.ts';

describe('insights verify', () => {
  it('shows how the figures differ, and fails', async () => {
    const { connection, added } = fakeRecount();
    const { code, out } = await commandLine({ connection }).sms('insights', 'verify');
    expect(code).toBe(1);
    expect(out).toMatch(/send send-1 +sent +\+1\n/);
    expect(out).toMatch(/quarter 2026-01-15T12:00 US +sent +\+1\n/);
    expect(out).toMatch(/day 2026-01-15 US +sent +\+1\n/);
    expect(out).toContain('Recounted 1 message or reply, and compared 3 sends, quarter hours and days.');
    expect(out).toContain('Counts that differ: 3. Correct them with: sms insights rebuild');
    expect(added).toEqual([]);
  });

  it('succeeds where none differs, and says so as JSON', async () => {
    const { connection } = fakeRecount([], []);
    const { code, out } = await commandLine({ connection }).sms('insights', 'verify', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ items: 0, compared: 0, tooOld: 0, unsettled: 0, differences: [] });
  });

  it('refuses a keywords file that cannot be read', async () => {
    const { connection } = fakeRecount();
    const { code, err } = await commandLine({ connection }).sms(
      'insights',
      'verify',
      '--keywords',
      'none.json',
    );
    expect(code).toBe(1);
    expect(err).toContain('--keywords: none.json cannot be read (ENOENT');
  });
});

describe('insights rebuild', () => {
  it('adds what the figures lack', async () => {
    const { connection, added } = fakeRecount();
    const { code, out } = await commandLine({ connection }).sms('insights', 'rebuild', '--confirm');
    expect(code).toBe(0);
    expect(out).toContain('Counts that differ: 3. They are corrected.');
    expect(added.flatMap(({ cohorts }) => cohorts.map(({ tally }) => tally))).toEqual([
      { sent: 1 },
      { sent: 1 },
      { sent: 1 },
    ]);
  });

  it('changes nothing without a confirmation', async () => {
    const { connection, added } = fakeRecount();
    const { code, err } = await commandLine({ connection }).sms('insights', 'rebuild');
    expect(code).toBe(2);
    expect(err).toContain('--confirm corrects them');
    expect(added).toEqual([]);
  });
});
