import { describe, expect, it } from 'vitest';
import { normalizePhone, toE164 } from '../../../functions/core/phone.ts';

describe('toE164', () => {
  it.each([
    ['+12025550143', null, '+12025550143'],
    [' +1 (202) 555-0143 ', null, '+12025550143'],
    ['12025550143', null, '+12025550143'],
    ['1 202 555 0143', null, '+12025550143'],
    ['(202) 555-0143', 'US', '+12025550143'],
    ['2025550143', 'US', '+12025550143'],
    ['442079460000', 'US', '+442079460000'],
    ['+442079460000', 'US', '+442079460000'],
    ['11 2345-0000', 'BR', '+551123450000'],
    ['555 555 5555', 'US', '+15555555555'],
    ['tel:+12025550143', null, '+12025550143'],
    ['TEL:+1-202-555-0143;ext=7', null, '+12025550143'],
    ['tel:2025550143;phone-context=+1', null, '+12025550143'],
    ['tel:202-555-0143;phone-context=example.com', 'US', '+12025550143'],
    ['0012025550143', null, '+12025550143'],
    ['00 1 (202) 555-0143', 'US', '+12025550143'],
    ['005511987654321', 'BR', '+5511987654321'],
    ['+5215512345678', null, '+5215512345678'],
    ['5215512345678', null, '+5215512345678'],
    ['0052 1 55 1234 5678', null, '+5215512345678'],
    ['+541123456789', null, '+541123456789'],
    ['+5491123456789', null, '+5491123456789'],
    ['+55 11 8765-4321', null, '+551187654321'],
  ])('reads %j with default country %s', (text, country, expected) => {
    expect(toE164(text, country)).toBe(expected);
  });

  it.each([
    ['', null],
    ['hello', null],
    ['call +12025550143', null],
    ['(202) 555-0143', null],
    ['202555014', 'ZZ'],
    ['12345', null],
    ['40404', null],
    ['ACME', 'US'],
    ['tel:911', 'US'],
    ['tel:', null],
    ['00', 'BR'],
    ['+', null],
    ['+1', null],
  ])('does not take %j (%s) for a number', (text, country) => {
    expect(toE164(text, country)).toBeUndefined();
  });
});

it('keeps what is no number as it came, trimmed', () => {
  expect(normalizePhone(' ACME ', null)).toBe('ACME');
  expect(normalizePhone('40404', null)).toBe('40404');
  expect(normalizePhone(' 1 202 555 0143', null)).toBe('+12025550143');
});
