import { expect, test } from 'vitest';
import {
  insightsSpan,
  isOverviewRange,
  isRange,
  isSameRange,
  overviewRanges,
  ranges,
  sinceOf,
} from '../../../../console/rules/time-range.ts';

const now = Date.parse('2026-01-15T12:03:20.000Z');

test('a range of a list is that of the overview: 24 hours, or days in UTC, of which the last has not ended', () => {
  expect(sinceOf('24h', now)).toBe('2026-01-14T13:00:00.000Z');
  expect(sinceOf('7d', now)).toBe('2026-01-09T00:00:00.000Z');
  expect(sinceOf('90d', now)).toBe('2025-10-18T00:00:00.000Z');
  for (const range of overviewRanges) expect(sinceOf(range, now)).toBe(insightsSpan(range, now).since);
});

test('the range of any time has no beginning', () => {
  expect(sinceOf('all', now)).toBeUndefined();
});

test('only the ranges that are offered are ranges', () => {
  expect([...ranges, '1y', 7, undefined].filter(isRange)).toEqual([...ranges]);
});

test('the overview shows hours of a day, and days in UTC of which the last has not ended', () => {
  const now = Date.parse('2026-01-15T12:34:56.000Z');
  expect(insightsSpan('24h', now)).toEqual({ interval: 'hour', since: '2026-01-14T13:00:00.000Z' });
  expect(insightsSpan('7d', now)).toEqual({ interval: 'day', since: '2026-01-09T00:00:00.000Z' });
  expect(['24h', '90d'].map(isOverviewRange)).toEqual([true, false]);
});

test('a span is the same range an hour or a day later, and never another range', () => {
  const later = Date.parse('2026-01-16T00:10:00.000Z');
  for (const range of overviewRanges)
    expect(isSameRange(insightsSpan(range, later - 3_600_000), insightsSpan(range, later))).toBe(true);
  expect(isSameRange(insightsSpan('24h', now), insightsSpan('7d', now))).toBe(false);
  expect(isSameRange(insightsSpan('7d', now), insightsSpan('30d', now))).toBe(false);
});
