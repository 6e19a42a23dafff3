import { expect, test } from 'vitest';
import {
  type Change,
  changesSince,
  comparedSpans,
  countsByReason,
  directionOf,
} from '../../../../console/rules/week-change.ts';

const countsOf = (delivered: number, failures: Record<string, number> = {}) => {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return {
    messages: delivered + failed,
    delivered,
    failed,
    failures: Object.entries(failures).map(([reason, messages]) => ({ reason, code: null, messages })),
  };
};

test('whole hours are compared with the same hours a week before', () => {
  expect(comparedSpans(Date.parse('2026-01-15T12:34:56.000Z'))).toEqual({
    current: { since: '2026-01-14T12:00:00.000Z', until: '2026-01-15T12:00:00.000Z' },
    before: { since: '2026-01-07T12:00:00.000Z', until: '2026-01-08T12:00:00.000Z' },
  });
});

test('rate and volume come first, then the reasons that rose most', () => {
  const changes = changesSince(
    countsOf(800, { unreachable: 150, landline: 20, spam: 30 }),
    countsOf(980, { unreachable: 15, landline: 19 }),
  );
  expect(changes).toEqual([
    { kind: 'rate', now: 0.8, before: 980 / 1014 },
    { kind: 'volume', now: 1000, before: 1014 },
    { kind: 'reason', reason: 'unreachable', now: 150, before: 15 },
    { kind: 'reason', reason: 'spam', now: 30, before: 0 },
  ]);
});

test('a reason that rose by few messages is noise', () => {
  expect(changesSince(countsOf(100, { spam: 4 }), countsOf(100)).map(({ kind }) => kind)).toEqual([
    'rate',
    'volume',
  ]);
});

test('without messages a week before there is nothing to compare', () => {
  expect(changesSince(countsOf(100), countsOf(0))).toEqual([]);
});

test('without an outcome there is no rate to compare', () => {
  const pending = { messages: 10, delivered: 0, failed: 0 };
  expect(changesSince(pending, countsOf(10))).toEqual([{ kind: 'volume', now: 10, before: 10 }]);
});

test('the codes of a reason are one count', () => {
  const counts = countsByReason([
    { reason: 'spam', code: '7', messages: 3 },
    { reason: 'unreachable', code: '1', messages: 2 },
    { reason: 'unreachable', code: '2', messages: 2 },
  ]);
  expect([...counts]).toEqual([
    ['unreachable', 4],
    ['spam', 3],
  ]);
});

test.each<[Change, string]>([
  [{ kind: 'rate', now: 0.9805, before: 0.98 }, 'same'],
  [{ kind: 'rate', now: 0.97, before: 0.98 }, 'down'],
  [{ kind: 'volume', now: 1005, before: 1000 }, 'same'],
  [{ kind: 'volume', now: 1100, before: 1000 }, 'up'],
])('small differences are none: %o', (change, direction) => {
  expect(directionOf(change)).toBe(direction);
});
