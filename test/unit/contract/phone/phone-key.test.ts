import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWrittenNumber, phoneKey, phoneNotations } from '../../../../contract/phone/phone-key.ts';
import { toE164 } from '../../../../contract/phone/phone-number.ts';
import { assertProperty } from '../../../support/property.ts';

describe('one person has one key', () => {
  it.each([
    ['a tel: URI', 'tel:+12025550143', '+12025550143'],
    ['the prefix 00', '0012025550143', '+12025550143'],
    ['Mexico before 2019', '+5215512345678', '+525512345678'],
    ['Mexico before 2019 in a tel: URI', 'tel:+5215512345678', '+525512345678'],
    ['Argentina without the 9 of mobile numbers', '+541123456789', '+5491123456789'],
    ['Brazil before the ninth digit', '+551187654321', '+5511987654321'],
    ['a tel: URI with separators', 'tel:+1-202-555-0143', '+12025550143'],
    ['a tel: URI with an extension', 'tel:+12025550143;ext=5', '+12025550143'],
    ['a tel: URI with a context', 'tel:202-555-0143;phone-context=+1', '+12025550143'],
    ['the prefix 00 with spaces', '00 1 202 555 0143', '+12025550143'],
    ['the prefix 00 with dashes', '001-202-555-0143', '+12025550143'],
    ['Mexico before 2019 with spaces', '+52 1 55 1234 5678', '+525512345678'],
  ])('%s: %s', (_, phone, key) => {
    expect([phoneKey(phone), phoneKey(key)]).toEqual([key, key]);
  });
});

describe('different numbers keep different keys', () => {
  it.each([
    ['a fixed line in Brazil', '+551134567890'],
    ['an old trunked radio number in Brazil', '+551178654321'],
    ['a toll-free number in Argentina', '+548001234567'],
    ['a short code', '40404'],
    ['a number that a spreadsheet gave decimals', '+12025550143.0'],
    ['an alphanumeric originator', 'ACME'],
    ['text that no country makes a number', '(202) 555-0143'],
    ['digits that may be national', '2025550143'],
    ['a local number in a tel: URI', 'tel:555-0143;phone-context=example.com'],
    ['an emergency number in a tel: URI', 'tel:911'],
    ['digits with separators that may be national', '479 223 4567'],
  ])('%s: %s', (_, phone) => {
    expect(phoneKey(phone)).toBe(phone);
  });

  it('all spellings of a number with its country code have its key, and no two keys share one', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{${length - 1}}$`));
    const number = fc
      .tuple(
        fc.constantFrom('1', '44', '52', '521', '54', '549', '55', '5511', '55119', '91'),
        digits(8),
        digits(2),
      )
      .map(([country, a, b]) => `+${country}${a}${b}`.slice(0, 16));
    assertProperty(
      fc.property(number, number, (a, b) => {
        const marked = [a, `tel:${a}`, `00${a.slice(1)}`, `00 ${a.slice(1)}`];
        for (const spelling of marked) expect(phoneKey(spelling)).toBe(phoneKey(a));
        expect(phoneNotations(a)).toContain(a);
        expect(phoneKey(phoneKey(a))).toBe(phoneKey(a));
        const shared = phoneNotations(a).some((notation) => phoneNotations(b).includes(notation));
        expect(shared).toBe(phoneKey(a) === phoneKey(b));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a sender', () => {
  it.each([
    '+12025550143',
    '2025550143',
    '(202) 555-0143',
    '0171/5550143',
    '202\u00a0555\u00a00143',
    '202\u2013555\u20130143',
    'tel:2025550143',
    'whatsapp:2025550143',
    'sms:(202) 555-0143',
  ])('%j is a number as a service writes it', (sender) => {
    expect(isWrittenNumber(sender)).toBe(true);
  });

  it.each([
    'ACME',
    '40404',
    '4-0-4-0-4',
    '.......',
    '1......',
    '../+12025550143',
    '+12025550143\n',
    '2025550143@example.com',
    'tel:2025550143@example.com',
    'telegram:12025550143',
    'whatsapp:ACME',
    'other:2025550143',
  ])('%j is no number', (sender) => {
    expect(isWrittenNumber(sender)).toBe(false);
  });
});

it('the spelling of the SMS service is kept apart from the key', () => {
  expect(toE164('+52 1 55 1234 5678', null)).toBe('+5215512345678');
  expect(toE164('+54 11 2345-6789', null)).toBe('+541123456789');
});
