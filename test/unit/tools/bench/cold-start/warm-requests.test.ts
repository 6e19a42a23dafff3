import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inTurn } from '../../../../../tools/bench/cold-start/cold-start.ts';
import { turnsOf } from '../../../../../tools/bench/cold-start/warm-requests.ts';
import { assertProperty } from '../../../../support/property.ts';

it('turns have all requests, and no turn is measured before the warm-up is over', () => {
  assertProperty(
    fc.property(fc.nat(20_000), fc.integer({ min: 1, max: 20_000 }), (warmUp, requests) => {
      const turns = turnsOf(warmUp, requests);
      const countOf = (wanted: boolean) =>
        turns.filter(({ isWarm }) => isWarm === wanted).reduce((sum, { count }) => sum + count, 0);
      expect([countOf(false), countOf(true)]).toEqual([warmUp, requests]);
      expect(turns.every(({ count }) => count >= 1 && count <= 100)).toBe(true);
      expect(turns.map(({ isWarm }) => isWarm)).toEqual(turns.map(({ isWarm }) => isWarm).toSorted());
    }),
  );
});

it('all are there in each turn, and each is first as often', () => {
  const turns = [0, 1, 2, 3].map((turn) => inTurn(['a', 'b', 'c'], turn).join(''));
  expect(turns).toEqual(['abc', 'bca', 'cab', 'abc']);
});
