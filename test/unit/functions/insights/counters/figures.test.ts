import { expect, it } from 'vitest';
import { timeName } from '../../../../../functions/insights/counters/count-names.ts';
import { figuresOf } from '../../../../../functions/insights/counters/figures.ts';

it('figures are the counts by what they mean', () => {
  const tally = {
    delivered: 5,
    failed: 3,
    other: 1,
    'error#invalid_number#30003': 2,
    'error#unknown#': 1,
    replies: 2,
    optOuts: 1,
    [timeName(35)]: 4,
    'deliveredWithin#0': 1,
    segments: 11,
    'priced#EUR': 2,
    'spend#EUR': 66_600,
    'priced#USD': 6,
    'spend#USD': 47_400,
    'priced#BRL': 2,
  };
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
    segments: 11,
    spend: [
      { currency: 'USD', millionths: 47_400, messages: 6 },
      { currency: 'BRL', millionths: 0, messages: 2 },
      { currency: 'EUR', millionths: 66_600, messages: 2 },
    ],
  });
});

it('a reason that only a newer version knows does not stop the figures', () => {
  const { messages, failures } = figuresOf({ delivered: 5, 'error#new_reason#7': 1 });
  expect(messages).toBe(5);
  expect(failures).toEqual([{ reason: 'unknown', code: '7', count: 1 }]);
});

it('figures of nothing are zero', () => {
  const none = { messages: 0, statuses: {}, failures: [], replies: 0, optOuts: 0, deliveryTimes: new Map() };
  expect(figuresOf({})).toEqual({ ...none, segments: 0, spend: [] });
});
