import { expect, test } from 'vitest';
import { insightsSpan } from '../../../../console/rules/time-range.ts';
import {
  type Change,
  changesSince,
  comparedSpans,
  countsByReason,
  directionOf,
} from '../../../../console/rules/week-change.ts';

const until = '2026-01-15T13:00:00.000Z';

/** The figures of a span: all messages but one are of an hour that is over. */
const comparedOf = (
  total: ReturnType<typeof countsOf> | { messages: number; delivered: number; failed: number },
) => ({
  since: '2026-01-14T13:00:00.000Z',
  until,
  total,
  periods: [
    { start: '2026-01-15T11:00:00.000Z', messages: Math.max(0, total.messages - 1) },
    { start: '2026-01-15T12:00:00.000Z', messages: 1 },
  ],
});

const countsOf = (delivered: number, failures: Record<string, number> = {}) => {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  return {
    messages: delivered + failed,
    delivered,
    failed,
    failures: Object.entries(failures).map(([reason, messages]) => ({ reason, code: null, messages })),
  };
};

test('the hours of the tiles, the current one included, are compared with the same hours a week before', () => {
  const now = Date.parse('2026-01-15T12:34:56.000Z');
  expect(comparedSpans(now)).toEqual({
    current: { since: insightsSpan({ range: '24h' }, now).since, until },
    before: { since: '2026-01-07T13:00:00.000Z', until: '2026-01-08T13:00:00.000Z' },
  });
});

test('an incident of the current hour counts, and its volume does not', () => {
  const quiet = {
    ...comparedOf(countsOf(1000)),
    periods: [{ start: '2026-01-15T11:00:00.000Z', messages: 1000 }],
  };
  const incident = {
    ...comparedOf(countsOf(1020, { unreachable: 40 })),
    periods: [
      { start: '2026-01-15T11:00:00.000Z', messages: 1000 },
      { start: '2026-01-15T12:00:00.000Z', messages: 60 },
    ],
  };
  expect(changesSince(incident, quiet)).toEqual([
    { kind: 'rate', now: 1020 / 1060, before: 1, isWorse: true },
    { kind: 'volume', now: 1000, before: 1000 },
    { kind: 'reason', reason: 'unreachable', now: { part: 40, all: 1060 }, before: { part: 0, all: 1000 } },
  ]);
});

test('rate and volume come first, then the reasons that rose most', () => {
  const changes = changesSince(
    comparedOf(countsOf(800, { unreachable: 150, landline: 20, spam: 30 })),
    comparedOf(countsOf(980, { unreachable: 15, landline: 19 })),
  );
  expect(changes).toEqual([
    { kind: 'rate', now: 0.8, before: 980 / 1014, isWorse: true },
    { kind: 'volume', now: 999, before: 1013 },
    { kind: 'reason', reason: 'unreachable', now: { part: 150, all: 1000 }, before: { part: 15, all: 1014 } },
    { kind: 'reason', reason: 'spam', now: { part: 30, all: 1000 }, before: { part: 0, all: 1014 } },
  ]);
});

test('a reason that rose by few messages is noise', () => {
  expect(
    changesSince(comparedOf(countsOf(100, { spam: 4 })), comparedOf(countsOf(100))).map(({ kind }) => kind),
  ).toEqual(['rate', 'volume']);
});

test('more failures of still more messages are no rise', () => {
  const changes = changesSince(
    comparedOf(countsOf(9900, { spam: 100 })),
    comparedOf(countsOf(980, { spam: 20 })),
  );
  expect(changes).toEqual([
    { kind: 'rate', now: 0.99, before: 0.98, isWorse: false },
    { kind: 'volume', now: 9999, before: 999 },
  ]);
});

test('fewer failures of still fewer messages are a rise', () => {
  const changes = changesSince(
    comparedOf(countsOf(80, { spam: 20 })),
    comparedOf(countsOf(970, { spam: 30 })),
  );
  expect(changes).toContainEqual({
    kind: 'reason',
    reason: 'spam',
    now: { part: 20, all: 100 },
    before: { part: 30, all: 1000 },
  });
});

test('a rate of few messages that fell by chance is not worse', () => {
  const [rate] = changesSince(
    comparedOf(countsOf(53, { spam: 3 })),
    comparedOf(countsOf(1000, { spam: 10 })),
  );
  expect(rate).toEqual({ kind: 'rate', now: 53 / 56, before: 1000 / 1010, isWorse: false });
});

test('without a whole hour with messages there is no volume to compare', () => {
  const current = { ...comparedOf(countsOf(5)), periods: [] };
  expect(changesSince(current, current).map(({ kind }) => kind)).toEqual(['rate']);
});

test('without messages a week before there is nothing to compare', () => {
  expect(changesSince(comparedOf(countsOf(100)), comparedOf(countsOf(0)))).toEqual([]);
});

test('without an outcome there is no rate to compare', () => {
  const pending = { messages: 10, delivered: 0, failed: 0 };
  expect(changesSince(comparedOf(pending), comparedOf(countsOf(10)))).toEqual([
    { kind: 'volume', now: 9, before: 9 },
  ]);
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

test.each<[Exclude<Change, { kind: 'reason' }>, string]>([
  [{ kind: 'rate', now: 0.9805, before: 0.98, isWorse: false }, 'same'],
  [{ kind: 'rate', now: 0.97, before: 0.98, isWorse: true }, 'down'],
  [{ kind: 'volume', now: 1005, before: 1000 }, 'same'],
  [{ kind: 'volume', now: 1100, before: 1000 }, 'up'],
])('small differences are none: %o', (change, direction) => {
  expect(directionOf(change)).toBe(direction);
});
