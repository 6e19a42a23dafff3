import { expect, it } from 'vitest';
import { isSecretUnknown } from '../../../../../tools/drills/rotation/rotation-scenario.ts';

it('a rejection is excused from a rotation elsewhere until 500 ms after its secret was stored', () => {
  const rotationsElsewhere = [
    { rotatedAt: 1_000, storedBy: 1_100 },
    { rotatedAt: 2_000, storedBy: 62_000 },
  ];
  const isExcused = (postedAt: number) => isSecretUnknown({ postedAt }, { rotationsElsewhere });
  expect([900, 1_500, 1_600, 62_499, 62_500].map(isExcused)).toEqual([false, true, false, true, false]);
});
