import { expect, it } from 'vitest';
import { paddedSequence } from '../../../../../functions/insights/counters/shard-state.ts';

it('padded sequence numbers are in the order of the numbers', () => {
  const numbers = ['9', '10', '49000000000123456789012', '1', '123456789012345678901234567890123456789'];
  const sorted = numbers.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).map(paddedSequence);
  expect(numbers.map(paddedSequence).sort()).toEqual(sorted);
});
