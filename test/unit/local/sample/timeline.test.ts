import { expect, it } from 'vitest';
import { timelineOf } from '../../../../local/sample/timeline.ts';
import { planSample } from '../../../../local/sample/traffic/plan.ts';
import { shippedContract as contract } from '../../../../tools/support/contracts.ts';

const begun = Date.parse('2026-03-12T09:20:00.000Z');
const hourMs = 3_600_000;
const options = { contract, size: 0.1 };

it('a restart continues the sample: nothing is left out, and nothing of before is new', () => {
  const first = timelineOf({ begun }, { ...options, now: begun });
  expect(first.played).toEqual([]);
  const nextRun = timelineOf({ begun, filledUntil: begun }, { ...options, now: begun + 50 * hourMs });
  expect(nextRun.played).toEqual(first.left);

  const { later } = planSample({ now: begun, seed: 26, size: options.size, contract });
  const ids = new Set(nextRun.left.map(({ id }) => id));
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter(({ at, id }) => at <= begun + 50 * hourMs && !ids.has(id))).toEqual([]);
});

it('a fill that was interrupted is repeated as it was, also days later', () => {
  const interrupted = timelineOf({ begun }, { ...options, now: begun });
  const repeated = timelineOf({ begun }, { ...options, now: begun + 72 * hourMs });
  expect(repeated.left.slice(0, interrupted.left.length)).toEqual(interrupted.left);
});

it('live traffic begins with the first event after the fill, also of a restart after days', () => {
  const now = begun + 72 * hourMs;
  const { left, live } = timelineOf({ begun }, { ...options, now });
  expect(Math.max(...left.map(({ at }) => at))).toBeLessThanOrEqual(now);
  const due = live.due(now + hourMs);
  expect(due.length).toBeGreaterThan(0);
  expect(Math.min(...due.map(({ at }) => at))).toBeGreaterThan(now);
});

it('a run with another contract continues the same messages', () => {
  const { read: _read, ...statuses } = contract.statuses;
  const messages = (changed: typeof contract) => {
    const { left } = timelineOf({ begun }, { ...options, contract: changed, now: begun + hourMs });
    return new Set(left.flatMap((event) => (event.kind === 'sms.status' ? event.fields.messageId : [])));
  };
  expect(messages({ ...contract, statuses })).toEqual(messages(contract));
});
