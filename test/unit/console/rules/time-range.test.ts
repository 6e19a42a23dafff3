import { expect, test } from 'vitest';
import {
  chosenDays,
  dayOf,
  insightsSpan,
  insightsSpanBefore,
  isOverviewRange,
  isRange,
  isSameRange,
  nameOfTimes,
  overviewRanges,
  ranges,
  sinceOf,
  spanOf,
} from '../../../../console/rules/time-range.ts';

const now = Date.parse('2026-01-15T12:03:20.000Z');

test('a range of a list is that of the overview: 24 hours, or days in UTC, of which the last has not ended', () => {
  expect(sinceOf('24h', now)).toBe('2026-01-14T13:00:00.000Z');
  expect(sinceOf('7d', now)).toBe('2026-01-09T00:00:00.000Z');
  expect(sinceOf('90d', now)).toBe('2025-10-18T00:00:00.000Z');
  for (const range of overviewRanges) expect(sinceOf(range, now)).toBe(insightsSpan({ range }, now).since);
});

test('the range of any time has no beginning', () => {
  expect(sinceOf('all', now)).toBeUndefined();
});

test('only the ranges that are offered are ranges', () => {
  expect([...ranges, '1y', 7, undefined].filter(isRange)).toEqual([...ranges]);
});

test('the overview shows hours of a day, and days in UTC of which the last has not ended', () => {
  const now = Date.parse('2026-01-15T12:34:56.000Z');
  expect(insightsSpan({ range: '24h' }, now)).toEqual({
    interval: 'hour',
    since: '2026-01-14T13:00:00.000Z',
  });
  expect(insightsSpan({ range: '7d' }, now)).toEqual({ interval: 'day', since: '2026-01-09T00:00:00.000Z' });
  expect(['24h', '90d'].map(isOverviewRange)).toEqual([true, false]);
});

test('a span is the same range an hour or a day later, and never another range', () => {
  const later = Date.parse('2026-01-16T00:10:00.000Z');
  for (const range of overviewRanges)
    expect(isSameRange(insightsSpan({ range }, later - 3_600_000), insightsSpan({ range }, later))).toBe(
      true,
    );
  expect(isSameRange(insightsSpan({ range: '24h' }, now), insightsSpan({ range: '7d' }, now))).toBe(false);
  expect(isSameRange(insightsSpan({ range: '7d' }, now), insightsSpan({ range: '30d' }, now))).toBe(false);
});

test('chosen days are two that exist, the earlier first, one alone, or all since one', () => {
  expect(chosenDays({ from: '2026-01-10', to: '2026-01-12' })).toEqual({
    from: '2026-01-10',
    to: '2026-01-12',
  });
  expect(chosenDays({ from: '2026-01-12', to: '2026-01-10' })).toEqual({
    from: '2026-01-10',
    to: '2026-01-12',
  });
  expect(chosenDays({ to: '2026-01-12' })).toEqual({ from: '2026-01-12', to: '2026-01-12' });
  expect(chosenDays({ from: '2026-01-10', to: 'today' })).toEqual({ from: '2026-01-10', to: undefined });
  for (const wrong of ['2026-02-30', '2026-1-1', '10000-01-01', '0001-01-01', 20260101, undefined])
    expect(chosenDays({ from: wrong })).toEqual({ from: undefined, to: undefined });
});

test('chosen days are whole days of the zone, and replace the range', () => {
  const times = { range: '24h', from: '2026-01-10', to: '2026-01-12' } as const;
  expect(spanOf(times, now, 'UTC')).toEqual({
    since: '2026-01-10T00:00:00.000Z',
    until: '2026-01-13T00:00:00.000Z',
  });
  expect(spanOf({ ...times, to: undefined }, now, 'UTC').until).toBeUndefined();
  const local = spanOf(times, now, undefined);
  expect(new Date(local.since ?? '').getTime()).toBe(new Date(2026, 0, 10).getTime());
  expect(dayOf(Date.parse(local.since ?? ''), undefined)).toBe('2026-01-10');
  expect(dayOf(Date.parse(local.until ?? '') - 1, undefined)).toBe('2026-01-12');
  expect(spanOf({ range: '24h' }, now, 'UTC').since).toBe(sinceOf('24h', now));
  expect([
    nameOfTimes(times),
    nameOfTimes({ ...times, to: undefined }),
    nameOfTimes({ range: '7d' }),
  ]).toEqual(['2026-01-10-to-2026-01-12', '2026-01-10', '7d']);
});

test('figures of chosen days are those of days in UTC, with as many days before them', () => {
  const past = { range: '24h', from: '2026-01-08', to: '2026-01-09' } as const;
  expect(insightsSpan(past, now)).toEqual({
    interval: 'day',
    since: '2026-01-08T00:00:00.000Z',
    until: '2026-01-10T00:00:00.000Z',
  });
  expect(insightsSpanBefore(past, now)).toEqual({
    interval: 'day',
    since: '2026-01-06T00:00:00.000Z',
    until: '2026-01-08T00:00:00.000Z',
  });
  const withToday = { range: '24h', from: '2026-01-14', to: '2026-01-15' } as const;
  expect(insightsSpan(withToday, now)).toEqual({ interval: 'day', since: '2026-01-14T00:00:00.000Z' });
  expect(insightsSpanBefore(withToday, now).since).toBe('2026-01-12T00:00:00.000Z');
});

test('days with another end are not the same range', () => {
  const span = {
    interval: 'day',
    since: '2026-01-08T00:00:00.000Z',
    until: '2026-01-10T00:00:00.000Z',
  } as const;
  expect(isSameRange(span, span)).toBe(true);
  expect(isSameRange(span, { ...span, until: '2026-01-11T00:00:00.000Z' })).toBe(false);
});
