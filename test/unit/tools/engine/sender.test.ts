import { expect, it } from 'vitest';
import { nextDue } from '../../../../tools/engine/sender.ts';

it('the sender keeps its pace after a short delay, and does not catch up after a stall', () => {
  expect(nextDue(100, 100, 20)).toBe(120);
  expect(nextDue(100, 119, 20)).toBe(120);
  expect(nextDue(100, 1_000, 20)).toBe(1_020);
});
