import { describe, expect, test } from 'vitest';
import { numberText, searchKind } from '../../../../console/rules/number-text.ts';

describe('a number', () => {
  test.each([
    ['+12025550143', '+1 202 555 0143'],
    ['+5511955550143', '+55 11 95555 0143'],
    ['+442079460123', '+442079460123'],
    ['+1 202 *** **43', '+1 202 *** **43'],
  ])('%s reads %s', (number, text) => {
    expect(numberText(number)).toBe(text);
  });
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
