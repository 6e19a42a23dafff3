import mobileExamples from 'libphonenumber-js/examples.mobile.json';
import { getCountries, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/mobile';
import { describe, expect, it } from 'vitest';
import { phoneKey } from '../../../../contract/phone/phone-key.ts';
import { type NumberRules, readPhone, toE164 } from '../../../../contract/phone/phone-number.ts';

describe('toE164', () => {
  it.each([
    ['+12025550143', null, '+12025550143'],
    ['＋12025550143', null, '+12025550143'],
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

/** How people and services write a number with its country code. */
function internationalSpellings(example: PhoneNumber): string[] {
  const digits = example.number.slice(1);
  const written = example.formatInternational();
  return [example.number, digits, `00${digits}`, written, written.slice(1)];
}

const examples = getCountries().flatMap((country) => getExampleNumber(country, mobileExamples) ?? []);
const countries = [
  'US',
  'CA',
  'MX',
  'BR',
  'AR',
  'DE',
  'AT',
  'GB',
  'FR',
  'ES',
  'IT',
  'IN',
  'PK',
  'ID',
  'CN',
  'JP',
  'AU',
  'NG',
  'KE',
  'ZA',
  'TR',
];

describe.each([null, ...countries])('the mobile numbers of the world, with default country %s', (country) => {
  const mixed: NumberRules = { numbers: 'mixed', defaultCountry: country };

  it('never become another number', () => {
    for (const example of examples)
      for (const text of internationalSpellings(example)) {
        const { phone, problem } = readPhone(text, mixed);
        expect(problem === undefined ? phone : example.number, text).toBe(example.number);
        // A number that may be two stays as it was received.
        if (problem !== undefined) expect(phone).toBe(text);
      }
  });

  it('are read if the contract says how they are written, also after a "+" that was not encoded', () => {
    for (const { number, country: home } of examples) {
      const digits = number.slice(1);
      expect(readPhone(digits, { numbers: 'international', defaultCountry: country })).toEqual({
        phone: number,
      });
      expect(readPhone(` ${digits}`, mixed, true), home).toEqual({ phone: number });
    }
  });

  it('are read as they are written at home', () => {
    for (const example of examples.filter((one) => one.country === country))
      for (const text of [example.formatNational(), example.nationalNumber]) {
        expect(readPhone(text, { numbers: 'national', defaultCountry: country })).toEqual({
          phone: example.number,
        });
        const { phone, problem } = readPhone(text, mixed);
        expect(problem === undefined ? phone : example.number, text).toBe(example.number);
      }
  });
});

describe('readPhone', () => {
  it.each([
    // Short codes and the names of senders are no numbers.
    ['80888', 'DE', '80888'],
    ['32665', 'DE', '32665'],
    ['40404', null, '40404'],
    [' ACME ', 'US', 'ACME'],
    ['Bank24', 'US', 'Bank24'],
    ['', null, ''],
    ['015155550100', 'DE', '+4915155550100'],
    ['33639980118', 'DE', '+33639980118'],
    ['6465550119', 'US', '+16465550119'],
    ['12025550119', null, '+12025550119'],
    ['5551234567', 'US', '+15551234567'],
    // Toll-free and personal numbers of North America send messages, too.
    ['18005550199', null, '+18005550199'],
    ['18885550199', 'DE', '+18885550199'],
    ['8005550199', 'US', '+18005550199'],
    ['15005550006', null, '+15005550006'],
    // Numbers of offices.
    ['02071838750', 'GB', '+442071838750'],
    ['442071838750', 'GB', '+442071838750'],
    ['442071838750', null, '+442071838750'],
    // What address books and spreadsheets add.
    ['\u200e+12025550143', null, '+12025550143'],
    ["'+12025550143", null, '+12025550143'],
  ])('reads %j with default country %s as %j without doubt', (text, defaultCountry, phone) => {
    expect(readPhone(text, { numbers: 'mixed', defaultCountry })).toEqual({ phone });
  });

  it.each([
    // New York or New Zealand, Connecticut or Norway, Florida or Belgium, Arkansas or a mobile phone in Norway.
    ['6465550119', null, 'ambiguous-number', ['+16465550119', '+6465550119']],
    ['4755550119', null, 'ambiguous-number', ['+14755550119', '+4755550119']],
    ['3215550119', null, 'ambiguous-number', ['+13215550119', '+3215550119']],
    ['4795550119', 'US', 'ambiguous-number', ['+14795550119', '+4795550119']],
    ['8885550199', null, 'ambiguous-number', ['+18885550199']],
    ['4.47912E+11', 'GB', 'unreadable-number'],
    ['12025550143.0', null, 'unreadable-number', ['+12025550143']],
    ['+12025550143;ext=7', null, 'unreadable-number', ['+12025550143']],
    ['+1 202 555 0143 ext. 7', null, 'unreadable-number'],
    ['4,47912E+11', 'GB', 'unreadable-number'],
    ['+1202555****', null, 'unreadable-number'],
    ['015155550100', null, 'unreadable-number'],
    // A person can write the number of another person into a mail address.
    ['ann+12025550143@mail.test', null, 'unreadable-number'],
    ['ann.+12025550143@mail.test', null, 'unreadable-number'],
    ['+12025550143!ann@mail.test', null, 'unreadable-number'],
    ["+12025550143'ann@mail.test", null, 'unreadable-number'],
    ["o'+12025550143@mail.test", null, 'unreadable-number'],
    ['=+12025550143@mail.test', null, 'unreadable-number'],
    ['+12025550143 <ann@mail.test>', null, 'unreadable-number'],
    ['ann <+12025550143 @mail.test>', null, 'unreadable-number'],
    ['"<+12025550143@a"@mail.test', null, 'unreadable-number'],
    ['"+12025550144" <+12025550143@mail.test>', null, 'unreadable-number', ['+12025550143']],
    ['+12025550143@mail.test', null, 'unreadable-number', ['+12025550143']],
  ] as const)('keeps %j with default country %s as received: %s', (text, defaultCountry, problem, mayBe?) => {
    const doubt = { phone: text, problem, ...(mayBe !== undefined && { mayBe }) };
    expect(readPhone(text, { numbers: 'mixed', defaultCountry })).toEqual(doubt);
  });

  it('keeps digits with a country code where a service should write none', () => {
    const rules = { numbers: 'national', defaultCountry: 'DE' } as const;
    expect(readPhone('015155550101', rules)).toEqual({ phone: '+4915155550101' });
    expect(readPhone('4915155550101', rules)).toEqual({
      phone: '4915155550101',
      problem: 'ambiguous-number',
      mayBe: ['+494915155550101', '+4915155550101'],
    });
  });

  it.each([
    ['whatsapp:+12025550157', { phone: '+12025550157', channel: 'whatsapp' }],
    ['WhatsApp:12025550157', { phone: '+12025550157', channel: 'whatsapp' }],
    ['rcs:+12025550157', { phone: '+12025550157', channel: 'rcs' }],
    ['sip:+12025550157', { phone: '+12025550157', channel: 'sip' }],
    ['tel:+1-202-555-0157', { phone: '+12025550157' }],
    ['sms:+12025550157?body=Hi', { phone: '+12025550157' }],
    ['tel:', { phone: 'tel:' }],
    ['rcs:brand_agent', { phone: 'rcs:brand_agent', channel: 'rcs' }],
    ['messenger:12025550157', { phone: 'messenger:12025550157', channel: 'messenger' }],
  ])('splits %s into the channel and the number', (text, expected) => {
    expect(readPhone(text, { numbers: 'mixed', defaultCountry: null })).toEqual(expected);
  });

  it.each([
    'tel:+12025550157; <ann@example.com>',
    'tel:+12025550157? <ann@example.com>',
    'sms:+12025550157;x@example.com',
    'tel:+12025550157;x=ann@example.com',
    'tel:202-555-0157;phone-context=+1;@example.com',
    'tel:12025550157;phone-context=example.com',
    'tel:+12025550157 <ann@example.com>',
    'whatsapp:+12025550157\n@example.com',
  ])('does not take the address of another person for a number: %j', (text) => {
    for (const numbers of ['mixed', 'national', 'international'] as const) {
      const { phone, problem, mayBe } = readPhone(text, { numbers, defaultCountry: 'US' });
      expect([phone, problem, mayBe]).toEqual([text.trim(), 'unreadable-number', undefined]);
      expect(phoneKey(phone)).toBe(phone);
    }
  });

  it.each([
    'sip:+12025550157@example.com;user=phone',
    'sms:+12025550157@example.com',
    'tel:+12025550157;phone-context=example.com',
    'sip:+12025550157;maddr=example.com',
    '12025550157@c.us',
    '12025550157@s.whatsapp.net',
  ])('leaves in doubt the number of an address whose host another person may have: %s', (text) => {
    const { phone, problem, mayBe } = readPhone(text, { numbers: 'mixed', defaultCountry: null });
    expect([phone, problem, mayBe]).toEqual([text, 'unreadable-number', ['+12025550157']]);
    expect(phoneKey(phone)).toBe(text);
  });

  it('keeps a mail address without digits as a name', () => {
    expect(readPhone('ann@example.com', { numbers: 'mixed', defaultCountry: 'US' })).toEqual({
      phone: 'ann@example.com',
    });
  });

  it('keeps the id of a channel that the event names as an id', () => {
    const rules = { numbers: 'mixed', defaultCountry: null } as const;
    expect(readPhone('4790123456', rules, false, 'telegram')).toEqual({
      phone: 'telegram:4790123456',
      channel: 'telegram',
    });
    expect(readPhone('telegram:4790123456', rules, false, 'telegram').phone).toBe('telegram:4790123456');
    expect(readPhone('4790123456', rules, false, 'whatsapp')).toEqual({ phone: '+4790123456' });
    expect(readPhone(' ', rules, false, 'telegram').phone).toBe('');
  });

  it.each([
    ['+12025550157', false, 'webchat', 'webchat:+12025550157'],
    ['tel:+12025550157', false, 'webchat', 'webchat:tel:+12025550157'],
    ['whatsapp:+12025550157', false, 'client', 'client:whatsapp:+12025550157'],
    ['sip:+12025550157', false, 'messenger', 'messenger:sip:+12025550157'],
    ['webchat:tel:+12025550157', false, undefined, 'webchat:tel:+12025550157'],
    [' +1 202-555-0157', false, 'client', 'client:+1 202-555-0157'],
    [' 12025550157', true, 'webchat', 'webchat:12025550157'],
    ['client:+12025550157', false, 'client', 'client:+12025550157'],
    ['telegram:+12025550157', false, undefined, 'telegram:+12025550157'],
  ])('leaves in doubt the number that the id %j of a channel may be', (text, isForm, channel, expected) => {
    const rules = { numbers: 'mixed', defaultCountry: null } as const;
    const { phone, problem, mayBe } = readPhone(text, rules, isForm, channel);
    expect([phone, problem, mayBe]).toEqual([expected, 'unreadable-number', ['+12025550157']]);
    expect(phoneKey(phone)).toBe(expected);
    expect(readPhone('+ann', rules, false, 'webchat')).toEqual({ phone: 'webchat:+ann', channel: 'webchat' });
  });

  it('reads the id of a chat with its country code, whatever the country of other numbers', () => {
    const rules = { numbers: 'mixed', defaultCountry: 'US' } as const;
    for (const numbers of ['mixed', 'national', 'international'] as const)
      expect(readPhone('3212345678@c.us', { ...rules, numbers }, false, 'whatsapp').phone).not.toBe(
        '+13212345678',
      );
    expect(readPhone('5511987654321@c.us', { ...rules, numbers: 'national' }, false, 'whatsapp')).toEqual({
      phone: '+5511987654321',
      channel: 'whatsapp',
    });
  });

  it('reads a blank in front as a "+" in a form only', () => {
    const rules = { numbers: 'mixed', defaultCountry: 'DE' } as const;
    expect(readPhone(' 4915155550101', rules, true)).toEqual({ phone: '+4915155550101' });
    expect(readPhone(' 015155550101', rules, true)).toEqual({ phone: '+4915155550101' });
    expect(readPhone(' 2025550119', { numbers: 'mixed', defaultCountry: 'US' })).toEqual({
      phone: '+12025550119',
    });
  });
});
