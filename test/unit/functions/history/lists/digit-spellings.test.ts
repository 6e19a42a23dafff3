import { expect, it } from 'vitest';
import { digitSpellings } from '../../../../../functions/history/lists/digit-spellings.ts';

it.each([
  ['+12025550151', ['12025550151', '2025550151']],
  ['+4915123456789', ['4915123456789', '15123456789', '015123456789']],
  // Mexico has two notations of one number.
  ['+525512345678', ['525512345678', '5512345678', '5215512345678', '15512345678']],
  ['2025550151', []],
  ['SHORT 77', []],
])('the history may keep %s under %j', (phone, spellings) => {
  expect(digitSpellings(phone)).toEqual(spellings);
});
