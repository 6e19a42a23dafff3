import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutBeforeMask,
  maskDigits,
  maskId,
  maskNumbers,
  maskNumbersOf,
  maskPhone,
  numbersMasker,
} from '../../../../contract/phone/mask.ts';
import { assertProperty } from '../../../support/property.ts';

it.each([
  ['to +12025550143 failed', 'to +*** failed'],
  ['to +1 (202) 555-0143.', 'to +***.'],
  ['202.555.0143/202 555 0144', '***'],
  ['٢٠٢٥٥٥٠١٤٣', '***'],
  ['error 30008: handset 12345 unknown', 'error 30008: handset 12345 unknown'],
  ['12345 x 67890', '12345 x 67890'],
  ['202–555–0143', '***'],
  ['202\u2011555\u20110143', '***'],
  ['202_555_0143 202/555/0144', '***'],
  ['+1 (202) — 555 … 0143', '+***'],
  ['12025550143 by 2', '*** by 2'],
  ['2ㅤ0ㅤ2ㅤ5\u115f5\u1160\uffa05⠀0ㅤㅤㅤㅤ143', '***'],
  ['', ''],
])('maskDigits turns %j into %j', (text, masked) => {
  expect(maskDigits(text, 6)).toBe(masked);
});

// A text that is read again from each of its characters takes an hour.
it.each(['-', '1----', 'a1-', 'a', '1 ', '1', '+', '(', 'SM', '2026-01-'])(
  'maskNumbers reads a text of 4 million characters that repeats "%s" once, not once for each of them',
  (unit) => {
    const text = unit.repeat(4_000_000 / unit.length);
    expect(maskNumbers(text).length).toBeLessThanOrEqual(text.length);
  },
);

it.each([
  ['550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
  ['a0000000-0000-0000-0000-000000000000', 'a0000000-0000-0000-0000-000000000000'],
  ['00000000-0000-0000-0000-00000000000f', '00000000-0000-0000-0000-00000000000f'],
  ['12025550-1430-1202-5550-143120255501', '•••5501'],
])('maskNumbers reads %j, in the form of a UUID, as %j', (text, masked) => {
  expect(maskNumbers(text)).toBe(masked);
});

it('maskDigits leaves no run of six digits in any text', () => {
  const words = fc.array(
    fc.oneof(fc.string(), fc.stringMatching(/^\d{1,12}$/), fc.constantFrom(' ', '-', '.', '(')),
  );
  assertProperty(
    fc.property(words, (parts) => {
      expect(maskDigits(parts.join(''), 6)).not.toMatch(/\d{6}/);
    }),
  );
});

it('maskDigits leaves no digit of a number with anything but letters between its digits', () => {
  const digits = fc.array(fc.constantFrom('0', '5', '٣', '９', '²'), { minLength: 6, maxLength: 15 });
  const separator = fc
    .string({ unit: 'binary', maxLength: 5 })
    .map((text) => text.replace(/[\p{L}\p{N}]/gu, ''));
  assertProperty(
    fc.property(digits, fc.func(separator), (number, after) => {
      const written = number.map((digit, index) => digit + after(index)).join('');
      expect(maskDigits(`to ${written} failed`, 6)).toMatch(/^to \*\*\*\P{N}* failed$/u);
    }),
  );
});

it.each([
  ['to +1 202 555 0143 failed', 14, 'to +'],
  ['to +1 202 555 0143 failed', 8, 'to +'],
  ['to 2ㅤ0ㅤ2\u115f5 0143', 9, 'to '],
  ['to +12025550143 failed', 17, 'to +12025550143 f'],
  ['to +12025550143', 15, 'to +12025550143'],
  ['nothing to mask 😀', 17, 'nothing to mask '],
  ['12025550143', 5, '…'],
])('cutBeforeMask cuts %j after %i units to %j', (text, maxLength, cut) => {
  expect(cutBeforeMask(text, maxLength)).toBe(cut);
});

it.each([
  ['+12025550143', '•••0143'],
  ['202 555 0143', '•••0143'],
  ['55501', '•••1'],
  ['143', '•••'],
  ['', '•••'],
])('maskPhone turns %j into %j', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});

describe('maskPhone', () => {
  it.each([
    ['+12025550143', '•••0143'],
    ['+1 202 555 0143', '•••0143'],
    ['12345', '•••5'],
    ['911', '•••'],
    ['', '•••'],
    ['SHOP', '•••'],
  ])('%s becomes %s', (number, masked) => {
    expect(maskPhone(number)).toBe(masked);
  });
});

/** The ways in which a number gets into an id, an error or a text. */
const spellings = [
  '+12025550143',
  '12025550143',
  '2025550143',
  '0012025550143',
  '+1 (202) 555-0143',
  '202.555.0143',
  '1_202_555_0143',
  '202\u2011555\u20110143',
  'tel:+12025550143',
  'sms-12025550143-7',
  '%2B12025550143',
  '2026011512025550143',
  'user12025550143x',
  '2ㅤ0ㅤ2\u115f5\u11605\uffa05⠀0ㅤㅤㅤ143',
  '202\u200b555\u2060\u00ad0143',
  '12025550143@sms.example',
];

describe('maskNumbers', () => {
  it.each(spellings)('shows at most the last four digits of %s', (text) => {
    expect(maskNumbers(text).replace(/\D/g, '')).not.toMatch(/202|555/);
    expect(maskNumbers(`error about ${text}.`)).toContain('•••');
  });

  it.each([
    ['Unknown subscriber +12025550143', 'Unknown subscriber •••0143'],
    ['12025550143: off, (202) 555-0143: on', '•••0143: off, (•••0143: on'],
    ['to ١٢٠٢٥٥٥٠١٤٣', 'to •••٠١٤٣'],
    ['msg-12025550143-2', 'msg-•••1432'],
  ])('%s is %s', (text, masked) => {
    expect(maskNumbers(text)).toBe(masked);
  });

  it.each([
    'error 30003 after 120 s, 2 of 3',
    'code 123456',
    '2026-01-15T11:00:00.000Z#req-1#0',
    '2026-01-15T11:00:00+01:00',
    '2026-01-15',
    '123e4567-e89b-12d3-a456-426614174000',
    'rejected:30003, 30005, 30006',
  ])('%s stays', (text) => {
    expect(maskNumbers(text)).toBe(text);
  });

  it('leaves no run of seven digits in any text', () => {
    const part = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{1,15}$/),
      fc.constantFrom(' ', '-', '.', '(', '+', '/', '_', '2026-01-15', 'T10:00:00Z', 'x'),
    );
    assertProperty(
      fc.property(fc.array(part), (parts) => {
        expect(maskNumbers(parts.join(''))).not.toMatch(/\d{7}/);
      }),
    );
  });

  it('leaves an id in hexadecimal, unless ten digits of it are in a row', () => {
    expect(maskNumbers('SM3f2a91234567bc0d1e2f3a4b5c6d7e8f')).toBe('SM3f2a91234567bc0d1e2f3a4b5c6d7e8f');
    expect(maskNumbers('abc12025550143def')).toBe('abc•••0143def');
    expect(maskNumbers('00000000-0000-0000-0000-012025550143')).toBe('•••0143');
  });

  it('complements no other mask: all show the end of a number, or nothing', () => {
    const number = fc.stringMatching(/^\+[1-9]\d{6,14}$/);
    assertProperty(
      fc.property(number, (phone) => {
        for (const masked of [maskPhone(phone), maskNumbers(phone), maskDigits(phone, 6)]) {
          const shown = masked.replace(/\D/g, '');
          expect(shown.length).toBeLessThanOrEqual(4);
          expect(phone.endsWith(shown)).toBe(true);
        }
      }),
    );
  });
});

it('of many numbers, no seven digits in a row are left', () => {
  const number = fc.stringMatching(/^\+?[012]{6,10}$/);
  const text = fc.stringMatching(/^[012]{0,9}(?:[012+ •a]{0,3}[012]{0,9}){0,3}$/);
  assertProperty(
    fc.property(fc.array(number, { maxLength: 6 }), text, (phones, other) => {
      const parts = phones.flatMap((phone) => {
        const digits = phone.replace('+', '');
        return Array.from({ length: Math.max(0, digits.length - 6) }, (_, at) => digits.slice(at, at + 7));
      });
      for (const one of [other, `${other}${phones.join('')}`, `${phones[0] ?? ''}${other}${phones[1] ?? ''}`])
        expect(parts.filter((part) => maskNumbersOf(one, phones).includes(part))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

describe('maskNumbersOf', () => {
  it.each(['sip:+12025550143@192.0.2.17', 'sip:+12025550143@h.example:5060', '+12025550143@mms2.example'])(
    'masks the number within an address, whatever digits its host has: %s',
    (address) => {
      for (const id of ['12025550143-7', 'abc12025550143', 'x/2025550143'])
        expect(maskNumbersOf(id, [address])).toBe(id.replace(/\d{10,}/, '•••0143'));
    },
  );

  it.each(spellings)('shows at most the last four digits of a known number in %s', (text) => {
    expect(maskNumbersOf(`id-${text}-a`, ['+12025550143']).replace(/\D/g, '')).not.toMatch(/2025|5550/);
  });

  // A service may write other digits beside the number, or two numbers in one field.
  it.each([
    '12025550143.0',
    '+12025550143.0',
    '+12025550143 / 5',
    '+12025550143-7',
    '+12025550143 (2)',
    '+12025550143/2',
    '+12025550143 2025',
    '+12025550143 12025550144',
    '+1 202 555 0143 7',
    '+1•202•555•0143 7',
    '0012025550143 1',
    '+12025550143_1',
  ])('masks the number that was received as %s', (phone) => {
    for (const id of ['x-12025550143', 'm/12025550143-1', '12025550143abc', '2025550143-x', '1 202 555 0143'])
      expect(maskNumbersOf(id, [phone])).not.toMatch(/202|555/);
  });

  it.each([
    ['otp-12025550143-7', 'otp-•••0143-7'],
    ['2026011512025550143', '20260115•••0143'],
    ['to:+12025550177', 'to:•••0177'],
    ['20260115120005', '20260115120005'],
    ['msg-4711', 'msg-4711'],
  ])('%s is %s', (text, masked) => {
    expect(maskNumbersOf(text, ['+12025550143', '12345'])).toBe(masked);
  });
});

// The end is shown beside them.
it.each([
  'evt-1202555-7f3a',
  'us-1202555',
  'b_2025550/91',
  '0012025550-1',
  '+1202555',
  '1202555-12025550143',
])('of %s, which has the beginning of a number, no mask shows another digit than its end has', (id) => {
  for (const shown of [maskNumbersOf(id, ['+12025550143']), maskId(id, numbersMasker(['+12025550143']))])
    expect(shown.replace(/(?<=•••)0143/, '')).not.toMatch(/•••\d|25|55/);
});

// What libphonenumber accepts between the digits of a number (VALID_PUNCTUATION), and letters that look like a dash.
it.each([...'-‐‑‒–—―−ー－／/．. \u00a0\u00ad\u200b\u2060\u3000()（）［］[]~⁓∼～ｰˑ'])(
  'all masks see one number in digits with "%s" between them',
  (separator) => {
    const written = `202${separator}555${separator}0143`;
    expect(maskNumbers(`to ${written}`)).toBe('to •••0143');
    expect(maskNumbersOf(`to ${written}`, ['+12025550143'])).toBe('to •••0143');
    expect(maskDigits(`to ${written}`, 6)).toBe('to ***');
  },
);
