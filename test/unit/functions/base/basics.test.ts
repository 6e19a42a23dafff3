import { describe, expect, it } from 'vitest';
import {
  deadlineAt,
  errorName,
  formatDuration,
  invocationDeadline,
  omitUndefined,
} from '../../../../functions/base/basics.ts';

describe('a deadline', () => {
  it('of an invocation keeps a reserve', () => {
    let left = 10_000;
    const deadline = invocationDeadline({ getRemainingTimeInMillis: () => left }, 3000);
    expect([deadline.remainingMs(), deadline.isOver()]).toEqual([7000, false]);
    left = 3000;
    expect([deadline.remainingMs(), deadline.isOver()]).toEqual([0, true]);
  });

  it('at a given time has passed when the clock reaches it', () => {
    let now = 400;
    const deadline = deadlineAt(500, () => now);
    expect([deadline.remainingMs(), deadline.isOver()]).toEqual([100, false]);
    now = 500;
    expect(deadline.isOver()).toBe(true);
  });
});

it('errorName names an error, and returns unknown for any other thrown value', () => {
  expect([errorName(new RangeError('+12025550100')), errorName('+12025550100')]).toEqual([
    'RangeError',
    'unknown',
  ]);
});

it('an object without its undefined properties keeps null, false and empty text', () => {
  expect(omitUndefined({ a: undefined, b: null, c: false, d: '' })).toStrictEqual({
    b: null,
    c: false,
    d: '',
  });
});

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
