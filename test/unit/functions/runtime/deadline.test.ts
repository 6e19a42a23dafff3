import { describe, expect, it } from 'vitest';
import { deadlineAt, defined, errorName, invocationDeadline } from '../../../../functions/runtime/basics.ts';

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
  expect(defined({ a: undefined, b: null, c: false, d: '' })).toStrictEqual({ b: null, c: false, d: '' });
});
