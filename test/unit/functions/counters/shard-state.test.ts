import { expect, it } from 'vitest';
import { generationsIn, listOf, paddedSequence } from '../../../../functions/counters/shard-state.ts';

it('padded sequence numbers are in the order of the numbers', () => {
  const numbers = ['9', '10', '49000000000123456789012', '1', '123456789012345678901234567890123456789'];
  const sorted = numbers.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).map(paddedSequence);
  expect(numbers.map(paddedSequence).sort()).toEqual(sorted);
});

it('without a control item the first generation is the only one', () => {
  expect(listOf(generationsIn(undefined))).toEqual(['1']);
  expect(listOf(generationsIn({ current: { S: '2' }, next: { S: '3' } }))).toEqual(['2', '3']);
});
