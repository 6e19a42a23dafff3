import { expect, it } from 'vitest';
import { figuresOf } from '../../../../functions/counters/figures.ts';

it('figures are the counts by what they mean', () => {
  const tally = { sd: 5, sf: 3, 's-': 1, 'ei#30003': 2, 'ek#': 1, r: 2, o: 1, hz: 4, 'h-': 1 };
  expect(figuresOf(tally)).toEqual({
    messages: 9,
    statuses: { failed: 3, delivered: 5, other: 1 },
    failures: [
      { reason: 'invalid_number', code: '30003', count: 2 },
      { reason: 'unknown', code: undefined, count: 1 },
    ],
    replies: 2,
    optOuts: 1,
    deliveryTimes: new Map([
      [35, 4],
      [-1, 1],
    ]),
  });
});

it('statuses and reasons that only a newer version knows do not stop the figures', () => {
  const { messages, statuses, failures } = figuresOf({ sd: 5, 's-': 1, 's§': 2, 'e§#7': 1 });
  expect({ messages, statuses }).toEqual({ messages: 8, statuses: { delivered: 5, other: 3 } });
  expect(failures).toEqual([{ reason: 'unknown', code: '7', count: 1 }]);
});

it('figures of nothing are zero', () => {
  const none = { messages: 0, statuses: {}, failures: [], replies: 0, optOuts: 0, deliveryTimes: new Map() };
  expect(figuresOf({})).toEqual(none);
});
