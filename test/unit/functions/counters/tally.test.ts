import { expect, it } from 'vitest';
import {
  addTallies,
  isEmpty,
  negated,
  tallyOfItem,
  withoutNegative,
} from '../../../../functions/counters/tally.ts';

it('tallies add up by name, without zeros', () => {
  expect(addTallies({ sd: 2, r: 1 }, { sd: -2, r: 1 }, { o: 1 })).toEqual({ r: 2, o: 1 });
  expect(isEmpty(addTallies({ sd: 1 }, negated({ sd: 1 })))).toBe(true);
});

it('the counts of an item are those attributes that have a name of a count', () => {
  const counts = {
    sd: { N: '2' },
    's-': { N: '1' },
    'ei#30003': { N: '4' },
    'ek#': { N: '1' },
    hz: { N: '1' },
    'h-': { N: '3' },
  };
  const others = {
    pk: { S: '1#s#a' },
    sk: { S: '-' },
    first: { N: '1' },
    expiresAt: { N: '5' },
    seq: { S: '9' },
    r: { N: '0' },
  };
  expect(tallyOfItem({ ...counts, ...others })).toEqual({
    ...{ sd: 2, 's-': 1, 'ei#30003': 4 },
    ...{ 'ek#': 1, hz: 1, 'h-': 3 },
  });
});

it('leaves out counts below zero', () => {
  expect(withoutNegative({ sd: 2, ss: -1, r: 0 })).toEqual({ sd: 2 });
});
