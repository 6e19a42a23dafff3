import { describe, expect, test } from 'vitest';
import { anyNumberText } from '../../../../console/rules/any-number-text.ts';
import { commonNumberText } from '../../../../console/rules/number-text.ts';
import { isMasked, searchKind } from '../../../../console/rules/search-kind.ts';
import { maskPhone } from '../../../../contract/phone/mask.ts';

describe('a number', () => {
  test.each([
    ['+12025550143', '+1 202 555 0143'],
    ['+5511955550143', '+55 11 95555 0143'],
    ['+442079460123', '+44 20 7946 0123'],
    ['12345', '12345'],
    ['Shop', 'Shop'],
    ['•••0143', '•••0143'],
  ])('%s reads %s', (number, text) => {
    expect(commonNumberText(number) ?? anyNumberText(number)).toBe(text);
  });
});

test('a number that the server masks is known as masked', () => {
  expect([maskPhone('+12025550143'), '+12025550143'].map(isMasked)).toEqual([true, false]);
});

test('the rules of all countries group the usual numbers as the page does before they are loaded', () => {
  for (const number of ['+12025550143', '+5511955550143', '+551155550143'])
    expect(anyNumberText(number)).toBe(commonNumberText(number));
});

describe('a text in the search box', () => {
  test.each([
    ['', 'empty'],
    ['  ', 'empty'],
    ['+1 202 555 0143', 'number'],
    ['(202) 555-0143', 'number'],
    ['12345', 'id'],
    ['msg-1', 'id'],
    ['2026-11-23T10:00', 'id'],
    ['1234567890123456', 'id'],
  ])('%j looks like: %s', (text, kind) => {
    expect(searchKind(text)).toBe(kind);
  });
});
