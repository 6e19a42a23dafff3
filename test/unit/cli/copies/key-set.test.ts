import { expect, it } from 'vitest';
import { KeySet } from '../../../../cli/copies/key-set.ts';

it('has every key, also when one set is full', () => {
  const keys = new KeySet(2);
  for (const key of ['a', 'b', 'c', 'd', 'e']) keys.add(key);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => keys.has(key))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});
