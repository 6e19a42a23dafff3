import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings } from '../../../../lib/app/read-settings.ts';
import { estimate, eventsOf } from '../../../../tools/cost/estimate.ts';
import { defaultSettings, readCostSettings, settingNames } from '../../../../tools/cost/settings.ts';

const traffic = fc.record({ events: fc.nat(1e9), inSends: fc.double({ min: 0, max: 1, noNaN: true }) });
const dollars = (...args: Parameters<typeof estimate>) => estimate(...args).dollars;

describe('an estimate', () => {
  it('multiplies the units of an event with the list prices', () => {
    const none = { ingest: 0, worker: 0, publisher: 0 };
    const inSends = {
      cpuMs: none,
      invocations: { ingest: 1, worker: 0.1, publisher: 0.1 },
      memoryMiB: { ingest: 1024, worker: 1024, publisher: 1024 },
      writeUnits: 2,
      tableBytes: 0,
      indexBytes: 0,
      publishedEvents: 1,
      logBytes: 0,
    };
    const usage = { inSends, alone: inSends };
    const million = (changed = usage) =>
      dollars({ events: 1e6, inSends: 1 }, {}, changed) - dollars({ events: 0, inSends: 1 }, {}, changed);
    const requests = 1 + 0.2 * 1.2 + 0.4 * 1.3 + 0.625 * 2 + 1;
    const waiting = 1.2 * 0.01 * 13.3334;
    const accessLog = 179 * 0.0005;
    const insights = 0.21;
    // A month's events have each hour and each minute in it.
    const always = 8 * 0.3 + 43_800 * 5e-6;
    expect(million()).toBeCloseTo(requests + waiting + accessLog + insights + always, 4);
    expect(million({ ...usage, inSends: { ...inSends, tableBytes: 100 } }) - million()).toBeCloseTo(
      0.1 * 0.45 * (400 / (365 / 12)),
      4,
    );
  });

  it('is the sum of its lines, and never falls when there are more events, or when they are kept for longer', () => {
    fc.assert(
      fc.property(traffic, fc.nat(1e6), fc.integer({ min: 1, max: 3649 }), (month, more, days) => {
        const { lines, dollars: all } = estimate(month, { retentionDays: days });
        expect(lines.every((line) => line.dollars >= 0)).toBe(true);
        expect(lines.reduce((sum, line) => sum + line.dollars, 0)).toBeCloseTo(all, 9);
        const larger = { ...month, events: month.events + more };
        expect(dollars(larger, { retentionDays: days })).toBeGreaterThanOrEqual(all);
        expect(dollars(month, { retentionDays: days + 1 })).toBeGreaterThanOrEqual(all);
      }),
    );
  });

  it('is highest if no event shares a batch', () => {
    fc.assert(
      fc.property(fc.nat(1e8), fc.double({ min: 0, max: 1, noNaN: true }), (events, inSends) => {
        expect(dollars({ events, inSends: 0 })).toBeGreaterThanOrEqual(dollars({ events, inSends }) - 1e-9);
      }),
    );
  });

  it('without events is what a pipeline costs by the month, whatever the retention', () => {
    const idle = { events: 0, inSends: 1 };
    const alarms = 26 * 0.1 + 2 * 0.5;
    const secrets = 2 * 0.4 + 18_980 * 5e-6;
    const polling = 2 * 5 * 131_400 * 0.4e-6;
    const runs = 9490 * (0.2e-6 + 0.25 * 1.33334e-5);
    expect(dollars(idle)).toBeCloseTo(alarms + 3 + secrets + polling + runs, 6);
    const free = 10 * 0.1 + 3 + 1e6 * 0.4e-6 + runs;
    expect(estimate(idle).dollarsWithAlwaysFree).toBeCloseTo(dollars(idle) - free, 6);
    expect(dollars(idle, { retentionDays: 3650 })).toBe(dollars(idle));
  });

  it('of a few events has metrics and reads of secrets for the hours and minutes with an event', () => {
    const [idle, few] = [
      { events: 0, inSends: 1 },
      { events: 10, inSends: 1 },
    ];
    expect(dollars(few) - dollars(idle)).toBeLessThan(10 * (8 * (0.3 / 730) + 5e-6 + 20e-6));
  });

  it('of messages counts three reports each, and a reply for one in twenty', () => {
    expect(eventsOf(1e6)).toBe(3_050_000);
  });
});

describe('the settings of an estimate', () => {
  it('are settings of the pipeline, with their defaults', () => {
    const settings: Record<string, unknown> = { ...readSettings({}) };
    for (const name of settingNames) {
      if (name === 'forwardUrl' || name === 'deliveryWatch') continue;
      expect([name, settings[name]]).toEqual([name, defaultSettings[name]]);
    }
    expect(settings.forwardUrl ?? 'off').toBe(defaultSettings.forwardUrl);
  });

  it('are refused with what may be written instead', () => {
    expect(() => readCostSettings({ insight: 'off' })).toThrow(/"insight".*insights/);
    expect(() => readCostSettings({ toString: 'off' })).toThrow('does not know the setting');
    expect(() => readCostSettings({ insights: 'no' })).toThrow('insights: found "no", expected on or off.');
    for (const days of ['0', '3651', '1.5', '-1', ''])
      expect(() => readCostSettings({ retentionDays: days })).toThrow('a whole number from 1 to 3650');
    expect(readCostSettings({ retentionDays: '90', insights: 'off' })).toEqual({
      retentionDays: 90,
      insights: 'off',
    });
  });
});
