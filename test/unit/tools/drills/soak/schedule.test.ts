import { expect, it } from 'vitest';
import { reportAt, stateOf } from '../../../../../tools/drills/soak/send-load.ts';

it('sends each message queued, sent 3 s and delivered 8 s later, and no report twice', () => {
  const perSecond = 40;
  const reports = Array.from({ length: 60 * perSecond }, (_, index) => ({
    ...reportAt(index, perSecond, 'soak'),
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
    const after = (later: typeof sent) => (later?.dueAt ?? 0) - (queued?.dueAt ?? 0);
    expect(Math.abs(after(sent) - 3)).toBeLessThan(0.2);
    expect(Math.abs(after(delivered) - 8)).toBeLessThan(0.2);
  }
});

it('keeps ids of different series, and of a rate that is not whole, apart', () => {
  const ids = ['one', 'other'].flatMap((series) =>
    Array.from({ length: 300 }, (_, index) => reportAt(index, 0.5, series).eventId),
  );
  expect(new Set(ids).size).toBe(600);
});

it('the last of the reports decides the state, in whatever order they are given', () => {
  expect(stateOf(['soak-7-2', 'soak-7-0'])).toBe('delivered');
  expect(stateOf(['soak-7-0', 'soak-7-1'])).toBe('sent');
  expect(stateOf(['soak-7-0'])).toBe('queued');
});
