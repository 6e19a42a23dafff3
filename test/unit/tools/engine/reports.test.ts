import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../local/sms-service/random.ts';
import {
  eventsPerMessage,
  manyReports,
  shuffledRepeats,
  stateOf,
  steadyReport,
  variedReports,
} from '../../../../tools/engine/reports.ts';

describe('a steady load', () => {
  it('sends each message queued, sent 3 s and delivered 8 s later, and no report twice', () => {
    const perSecond = 40;
    const reports = Array.from({ length: 60 * perSecond }, (_, index) => ({
      ...steadyReport(index, perSecond, 'soak'),
      dueAt: index / perSecond,
    }));
    expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(reports.length);
    const whole = [...Map.groupBy(reports, ({ messageId }) => messageId).values()].filter(
      ({ length }) => length === 3,
    );
    // Those at either end lack reports: at most eight seconds' worth each.
    expect(whole.length).toBeGreaterThan(((60 - 2 * 8) * perSecond) / 3);
    for (const [queued, sent, delivered] of whole) {
      expect([queued?.status, sent?.status, delivered?.status]).toEqual(['queued', 'sent', 'delivered']);
      const delay = (later: typeof sent) => (later?.dueAt ?? 0) - (queued?.dueAt ?? 0);
      expect(Math.abs(delay(sent) - 3)).toBeLessThan(0.2);
      expect(Math.abs(delay(delivered) - 8)).toBeLessThan(0.2);
    }
  });

  it('keeps ids of different series, and of a rate that is not whole, apart', () => {
    const ids = ['one', 'other'].flatMap((series) =>
      Array.from({ length: 300 }, (_, index) => steadyReport(index, 0.5, series).eventId),
    );
    expect(new Set(ids).size).toBe(600);
  });
});

describe('many reports', () => {
  it.each(['apart', 'together'] as const)(
    'have each event of each message once and in order, %s',
    (arrangement) => {
      const reports = manyReports(arrangement, 'x', 40);
      expect(reports).toHaveLength(40 * eventsPerMessage);
      expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(reports.length);
      const own = reports.filter(({ messageId }) => messageId === 'x-3');
      expect(own.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered']);
    },
  );

  it('keep the events of a message as far apart as there are messages, or side by side', () => {
    const positions = (arrangement: 'apart' | 'together') =>
      manyReports(arrangement, 'x', 150).flatMap(({ messageId }, index) =>
        messageId === 'x-7' ? [index] : [],
      );
    expect(positions('apart')).toEqual([7, 157, 307]);
    expect(positions('together')).toEqual([21, 22, 23]);
  });
});

it('varied reports are as many as asked for, and shuffled repeats have each one to three times', () => {
  const reports = variedReports(300, 1000);
  expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(1000);
  const times = Map.groupBy(shuffledRepeats(reports, createRandom(1)), ({ eventId }) => eventId);
  expect(times.size).toBe(1000);
  expect(new Set([...times.values()].map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
});

it('the end decides the state of a message, otherwise the latest report', () => {
  const [queued, sent, delivered] = manyReports('together', 'x', 1);
  const of = (...reports: (typeof queued)[]) => stateOf(reports.flatMap((one) => one ?? []));
  expect(of(sent, queued)).toBe('sent');
  expect(of(queued)).toBe('queued');
  expect(of(delivered && { ...delivered, second: 0 }, sent)).toBe('delivered');
});
