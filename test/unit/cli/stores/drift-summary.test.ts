import { expect, it } from 'vitest';
import { summarizeDrift } from '../../../../cli/stores/drift-summary.ts';
import { mismatchId, type NotedMismatch } from '../../../../contract/drift/drift-watch.ts';

const novelty = (day: string, word: string, shape = '{}'): [string, NotedMismatch] => {
  const what = {
    kind: 'status',
    field: 'statuses',
    expected: 'a listed word',
    found: 'string',
    word,
  } as const;
  return [mismatchId(what), { ...what, shape, foundAt: `${day}T12:00:00.000Z` }];
};
const on = (day: string, ...novelties: [string, NotedMismatch][]) => ({ day, novelties: new Map(novelties) });

it('tells each novelty once, with its days and the shape of the newest, the newest first', () => {
  const days = [
    on('2026-01-13', novelty('2026-01-13', 'held', '1'), novelty('2026-01-13', 'gone')),
    on('2026-01-15', novelty('2026-01-15', 'held', '3')),
    on('2026-01-14', novelty('2026-01-14', 'held', '2')),
  ];
  const summary = summarizeDrift(days);
  expect(summary.map(({ word, days: seen, shape }) => [word, seen, shape])).toEqual([
    ['held', ['2026-01-15', '2026-01-14', '2026-01-13'], '3'],
    ['gone', ['2026-01-13'], '{}'],
  ]);
  expect(summarizeDrift(days.toReversed())).toEqual(summary);
  expect(summary[0]).not.toHaveProperty('foundAt');
});

it('tells novelties of one place apart by what came', () => {
  const format = { kind: 'format', field: 'events.status.recipient', expected: 'string' } as const;
  const ids = ['number', 'array'].map((found) => mismatchId({ ...format, found }));
  expect(new Set(ids).size).toBe(2);
  expect(mismatchId({ ...format, found: 'number', expected: 'boolean' })).toBe(ids[0]);
});
