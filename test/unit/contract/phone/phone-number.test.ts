import fc from 'fast-check';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import { phoneKey } from '../../../../contract/phone/phone-key.ts';
import { normalizePhone, toE164 } from '../../../../contract/phone/phone-number.ts';
import { assertProperty } from '../../../support/property.ts';

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
    ['(479) 223-4567', null],
    ['(479) 223-4567', 'FR'],
    ['-479 223 4567', null],
    ['.4792234567', null],
    ['202555014', 'ZZ'],
    ['12345', null],
    ['40404', null],
    ['ACME', 'US'],
    ['tel:911', 'US'],
    ['tel:', null],
    ['00', 'BR'],
    ['+', null],
    ['+1', null],
  ])('does not read %j (%s) as a number', (text, country) => {
    expect(toE164(text, country)).toBeUndefined();
  });
});

describe('a text with neither "+" nor 00 in front', () => {
  const separator = fc.constantFrom('', '', '', ' ', '-', '.', '(', ')', ') ');
  const begin = fc.constantFrom('1', '479', '202', '49', '5511', '525', '3');
  const digits = fc.stringMatching(/^\d{5,9}$/);
  const texts = fc
    .tuple(separator, begin, fc.array(separator, { minLength: 9, maxLength: 9 }), digits)
    .map(([front, first, between, rest]) =>
      [front, first, ...[...rest].map((digit, index) => between[index] + digit)].join(''),
    );

  it('is international only if its first character is a digit', () => {
    assertProperty(
      fc.property(texts, fc.constantFrom(null, 'US', 'FR', 'BR', 'MX', 'ZZ'), (written, country) => {
        const number = toE164(written, country);
        // The former notations of Mexico, Argentina and Brazil are numbers as well.
        const isFormer = number !== undefined && phoneKey(number) !== number && /^ ?[1-9]/.test(written);
        fc.pre(!isFormer);
        expect(number).toBe(nationalOrLed(written, country));
      }),
      { numRuns: 2000 },
    );
  });

  /** National where that is valid, else international if a digit leads, else national if its length fits. */
  function nationalOrLed(text: string, country: string | null): string | undefined {
    const written = text.trim();
    const parse = (phone: string, defaultCountry: string | null) =>
      parsePhoneNumberFromString(phone, {
        ...(defaultCountry !== null && isSupportedCountry(defaultCountry) ? { defaultCountry } : {}),
        extract: false,
      });
    const national = parse(written, country);
    const international = /^[1-9][\d\s().-]*$/.test(written) ? parse(`+${written}`, null) : undefined;
    const best = [national, international].find((number) => number?.isValid()) ?? national;
    return best?.isPossible() ? best.number : undefined;
  }
});

it('normalizePhone keeps other texts, trimmed', () => {
  expect(normalizePhone(' ACME ', null)).toBe('ACME');
  expect(normalizePhone('40404', null)).toBe('40404');
  expect(normalizePhone(' 1 202 555 0143', null)).toBe('+12025550143');
});
