import { describe, expect, it } from 'vitest';
import {
  measureOf,
  minMessages,
} from '../../../../../../functions/automations/delivery-watch/rules/measure.ts';
import { quarterCounters } from '../../../../../support/quarter-counters.ts';

const horizonMs = 120_000;
const quarter = (traits: Parameters<typeof quarterCounters>[0], country = 'DE') =>
  new Map([[country, quarterCounters(traits)]]);

describe('a measure', () => {
  it('has no value for fewer messages than the minimum', () => {
    const measure = measureOf('delivery-rate', horizonMs, [quarter({})]);
    expect(measure.of(quarter({ messages: minMessages - 1 }))).toBeUndefined();
    expect(measure.of(quarter({ messages: minMessages }))).toBeDefined();
  });

  it('counts only what was delivered within the horizon', () => {
    const measure = measureOf('delivery-rate', 10_000, [quarter({})]);
    const slow = measure.of(quarter({ messages: 400, rate: 1, seconds: 8 }));
    expect(slow?.figure).toBe(0.75);
  });

  it('does not take another mix of countries for a change', () => {
    const past = [
      new Map([
        ['DE', quarterCounters({ rate: 0.95, seconds: 5 })],
        ['IN', quarterCounters({ rate: 0.8, seconds: 20 })],
      ]),
    ];
    const other = new Map([
      ['DE', quarterCounters({ messages: 100, rate: 0.95, seconds: 5 })],
      ['IN', quarterCounters({ messages: 4000, rate: 0.8, seconds: 20 })],
    ]);
    for (const signal of ['delivery-rate', 'time-to-delivery'] as const)
      expect(measureOf(signal, horizonMs, past).of(other)?.value).toBeCloseTo(0, 6);
  });

  it('states the usual figure of the present mix', () => {
    const measure = measureOf('delivery-rate', horizonMs, [quarter({ rate: 0.95 })]);
    const measured = measure.of(quarter({ rate: 0.6 }));
    if (measured === undefined) throw new Error('not measured');
    expect(measured.figure).toBe(0.6);
    expect(measure.usual(measured, measured.value)).toBeCloseTo(0.95, 2);
    const time = measureOf('time-to-delivery', horizonMs, [quarter({ seconds: 6 })]);
    const slow = time.of(quarter({ seconds: 12 }));
    if (slow === undefined) throw new Error('not measured');
    expect(time.usual(slow, slow.value)).toBeCloseTo(6000, 0);
  });

  it('varies less by chance the more messages there are', () => {
    const measure = measureOf({ reason: 'spam' }, horizonMs, [quarter({ reason: 'spam' })]);
    const [few, many] = [100, 10_000].map((messages) => measure.of(quarter({ messages, reason: 'spam' })));
    expect(few?.variance).toBeGreaterThan(99 * (many?.variance ?? 1));
  });
});
