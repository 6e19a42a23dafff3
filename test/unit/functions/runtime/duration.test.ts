import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../../functions/runtime/basics.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [-999, '999 ms'],
    [1000, '1.0 s'],
    [9_999, '9.9 s'],
    [10_000, '10 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [185_000, '3 min 5 s'],
    [3_600_000, '1 h'],
    [86_399_999, '23 h 59 min'],
    [187_200_000, '2 d 4 h'],
  ])('writes %i ms as %s', (milliseconds, shown) => {
    expect(formatDuration(milliseconds)).toBe(shown);
  });
});
