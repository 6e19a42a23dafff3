import { expect, it } from 'vitest';
import { showPhone, showReadPhone } from '../../../../cli/output/print.ts';

it.each([
  ['+12025550143', '•••0143', '•••0143 (US)'],
  ['+442079460018', '•••0018', '•••0018 (GB)'],
  ['12345', '•••5', '•••5'],
])('%s is masked, and its country shows how it was read', (number, masked, read) => {
  expect([false, true].map((reveal) => showPhone(number, { reveal }))).toEqual([masked, number]);
  expect([false, true].map((reveal) => showReadPhone(number, { reveal }))).toEqual([read, number]);
});
