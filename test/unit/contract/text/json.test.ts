import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExactly } from '../../../../contract/text/json.ts';
import { assertProperty } from '../../../support/property.ts';

describe('parseExactly', () => {
  it.each([
    ['12345678901234567', '12345678901234567'],
    ['-12345678901234567.50', '-12345678901234567.50'],
    ['1.2e19', '1.2e19'],
    ['1E+400', '1E+400'],
    ['1e9', 1e9],
    ['0.12345678901234500', 0.123456789012345],
    ['12.34', 12.34],
    ['123456789012345', 123456789012345],
    ['"1e400"', '1e400'],
    ['"a\\\\\\"1e400"', 'a\\"1e400'],
  ])('reads %s', (number, read) => {
    expect(parseExactly(`{"a": [ ${number}],"b":1e9,"1e400":0}`)).toEqual({ a: [read], b: 1e9, '1e400': 0 });
  });

  it('reads each other value as JSON.parse does', () => {
    assertProperty(
      fc.property(fc.json(), (text) => {
        expect(parseExactly(`[1e9,${text}]`)).toEqual([1e9, parseExactly(text)]);
      }),
    );
  });

  it('reads what is too deep for a function that calls itself', () => {
    const deep = `${'['.repeat(100_000)}1e400${']'.repeat(100_000)}`;
    expect(Array.isArray(parseExactly(deep))).toBe(true);
  });
});
