import { expect, test } from 'vitest';
import {
  axisText,
  columnsOf,
  countTicks,
  labelledColumns,
  periodText,
  placeOf,
  rateFloor,
  waitTicks,
} from '../../../../console/rules/axis.ts';

test('labels are evenly spaced, in steps that people count in, and never more than fit', () => {
  expect(labelledColumns(24, 10, [1, 2, 3, 6, 12])).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
  expect(labelledColumns(7, 7, [1, 2])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labelledColumns(30, 3, [1, 2, 7])).toEqual([0, 14, 28]);
  expect(labelledColumns(10, 0, [1])).toEqual([0]);
  expect(labelledColumns(0, 5, [1])).toEqual([]);
});

test('an axis of rates begins at 0 unless all rates are high', () => {
  expect(rateFloor([0.99, 0.95])).toBe(0.9);
  expect(rateFloor([0.99, 0.7])).toBe(0.5);
  expect(rateFloor([0.99, 0.2])).toBe(0);
  expect(rateFloor([])).toBe(0.9);
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [98, [0, 50, 100]],
  [12_480, [0, 5000, 10_000, 15_000]],
])('the ticks of counts to %d are whole and reach it', (largest, ticks) => {
  expect(countTicks(largest)).toEqual(ticks);
});

test.each([
  [1000, [0, 1000]],
  [38_200, [0, 10_000, 20_000, 30_000, 40_000]],
  [125_000, [0, 60_000, 120_000, 180_000]],
])('the ticks of waits to %d ms are times that people count in', (longest, ticks) => {
  expect(waitTicks(longest)).toEqual(ticks);
});

test('a value has its place between the ends of an axis', () => {
  expect(placeOf(5, [0, 10], [100, 0])).toBe(50);
  expect(placeOf(0.95, [0.9, 1], [100, 0])).toBeCloseTo(50);
  expect(placeOf(3, [3, 3], [100, 0])).toBe(100);
});

test('a chart has a column for every period, also for those without messages', () => {
  const { starts } = columnsOf('hour', '2026-01-15T12:00:00.000Z', '2026-01-15T15:00:00.000Z');
  expect(starts.map((start) => new Date(start).toISOString())).toEqual([
    '2026-01-15T12:00:00.000Z',
    '2026-01-15T13:00:00.000Z',
    '2026-01-15T14:00:00.000Z',
  ]);
  expect(columnsOf('day', '2026-01-15T00:00:00.000Z', '2026-01-22T00:00:00.000Z').starts).toHaveLength(7);
});

test('hours are in the zone of the viewer, days in UTC', () => {
  const start = Date.parse('2026-01-15T00:00:00.000Z');
  expect(axisText(start, 'hour', 'en', 'America/Sao_Paulo')).toBe('21:00');
  expect(axisText(start, 'day', 'en', 'America/Sao_Paulo')).toBe('15 Jan');
  expect(periodText(start, 'hour', 'en', 'America/Sao_Paulo')).toMatch(/^Wed,? 14 Jan 2026,? 21:00$/);
  expect(periodText(start, 'day', 'en', 'America/Sao_Paulo')).toMatch(/^Thu,? 15 Jan 2026$/);
});
