import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskDigits } from '../../../../contract/phone/phone-key.ts';
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
  ['', ''],
])('maskDigits turns %j into %j', (text, masked) => {
  expect(maskDigits(text, 6)).toBe(masked);
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
