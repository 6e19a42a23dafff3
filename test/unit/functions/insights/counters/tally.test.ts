import { expect, it } from 'vitest';
import {
  addTallies,
  isEmpty,
  negated,
  tallyOfItem,
  withoutNegative,
} from '../../../../../functions/insights/counters/tally.ts';

it('tallies add up by name, without zeros', () => {
  expect(addTallies([{ delivered: 2, replies: 1 }, { delivered: -2, replies: 1 }, { optOuts: 1 }])).toEqual({
    replies: 2,
    optOuts: 1,
  });
  expect(isEmpty(addTallies([{ delivered: 1 }, negated({ delivered: 1 })]))).toBe(true);
});

it('the counts of an item are those attributes that have a name of a count', () => {
  const counts = {
    delivered: { N: '2' },
    other: { N: '1' },
    'error#invalid_number#30003': { N: '4' },
    'error#unknown#': { N: '1' },
    'deliveredWithin#4109': { N: '1' },
    'deliveredWithin#0': { N: '3' },
    segments: { N: '7' },
    'spend#USD': { N: '47400' },
    'priced#USD': { N: '6' },
  };
  const others = {
    pk: { S: 'send#a' },
    sk: { S: 'figures' },
    firstReportAt: { S: '2026-01-15T12:00:00.000Z' },
    expiresAt: { N: '5' },
    countedTo: { S: '9' },
    version: { N: '9' },
    replies: { N: '0' },
  };
  expect(tallyOfItem({ ...counts, ...others })).toEqual({
    delivered: 2,
    other: 1,
    'error#invalid_number#30003': 4,
    'error#unknown#': 1,
    'deliveredWithin#4109': 1,
    'deliveredWithin#0': 3,
    segments: 7,
    'spend#USD': 47_400,
    'priced#USD': 6,
  });
});

it('leaves out counts below zero', () => {
  expect(withoutNegative({ delivered: 2, sent: -1, replies: 0 })).toEqual({ delivered: 2 });
});
