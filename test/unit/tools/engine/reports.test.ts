import { expect, it } from 'vitest';
import { createRandom } from '../../../../local/sms-service/random.ts';
import { manyReports, shuffledRepeats, stateOf, steadyReport } from '../../../../tools/engine/reports.ts';

it('a steady load sends each message queued, sent 3 s and delivered 8 s later, and no report twice', () => {
  const perSecond = 40;
  const reports = Array.from({ length: 60 * perSecond }, (_, index) => ({
    ...steadyReport(index, perSecond, 'soak'),
    dueAt: index / perSecond,
  }));
  expect(new Set(reports.map(({ eventId }) => eventId)).size).toBe(reports.length);
  const messages = [...Map.groupBy(reports, ({ messageId }) => messageId).values()];
  const whole = messages.filter(({ length }) => length === 3);
  // Those at either end lack reports: at most eight seconds' worth each.
  expect(whole.length).toBeGreaterThan(((60 - 2 * 8) * perSecond) / 3);
  for (const [queued, sent, delivered] of whole) {
    expect([queued?.status, sent?.status, delivered?.status]).toEqual(['queued', 'sent', 'delivered']);
    const delay = (later: typeof sent) => (later?.dueAt ?? 0) - (queued?.dueAt ?? 0);
    expect(Math.abs(delay(sent) - 3)).toBeLessThan(0.2);
    expect(Math.abs(delay(delivered) - 8)).toBeLessThan(0.2);
  }
});

it.each([
  ['apart', [7, 157, 307]],
  ['together', [21, 22, 23]],
] as const)('many reports have those of a message %s', (arrangement, positions) => {
  const reports = manyReports(arrangement, 'x', 150);
  const found = [...reports.entries()].filter(([, { messageId }]) => messageId === 'x-7');
  expect(found.map(([index]) => index)).toEqual(positions);
  expect(found.map(([, { status }]) => status)).toEqual(['queued', 'sent', 'delivered']);
});

it('shuffled repeats have each report one to three times', () => {
  const repeats = shuffledRepeats(manyReports('apart', 'x', 100), createRandom(1));
  const times = Map.groupBy(repeats, ({ eventId }) => eventId);
  expect(times.size).toBe(300);
  expect(new Set([...times.values()].map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
});

it('the end decides the state of a message, otherwise the latest report', () => {
  const [queued, sent, delivered] = manyReports('together', 'x', 1);
  const of = (...reports: (typeof queued)[]) => stateOf(reports.flatMap((one) => one ?? []));
  expect(of(sent, queued)).toBe('sent');
  expect(of(queued)).toBe('queued');
  expect(of(delivered && { ...delivered, second: 0 }, sent)).toBe('delivered');
});
