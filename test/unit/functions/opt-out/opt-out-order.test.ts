import { expect, it } from 'vitest';
import { compareOptOutChanges } from '../../../../functions/opt-out/opt-out-store.ts';

const said = (state: 'out' | 'in', second: number, replyId: string) => ({
  state,
  at: `2026-01-15T12:00:0${second}.000Z`,
  replyId,
});

it('statements of a number are ordered by time, then with the opt-out last, then by reply', () => {
  const ordered = [said('out', 1, 'r-9'), said('in', 2, 'r-9'), said('out', 2, 'r-1'), said('out', 2, 'r-2')];
  expect([...ordered].reverse().sort(compareOptOutChanges)).toEqual(ordered);
  expect(compareOptOutChanges(said('in', 1, 'r'), said('in', 1, 'r'))).toBe(0);
});
