import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskNumbers, maskPhone } from '../../../../cli/output/print.ts';
import { assertProperty } from '../../../support/property.ts';

const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 20 });

describe('maskPhone', () => {
  it('shows no more than the first five and the last two digits, and hides at least four', () => {
    assertProperty(
      fc.property(digits, fc.boolean(), (number, hasPlus) => {
        const masked = maskPhone(hasPlus ? `+${number}` : number);
        const [first = '', last = '', ...more] = masked.replace('+', '').split('•••');
        expect(more).toEqual([]);
        expect(first.length).toBeLessThanOrEqual(5);
        expect(last.length).toBeLessThanOrEqual(2);
        expect(first.length + last.length).toBeLessThanOrEqual(Math.max(0, number.length - 4));
        expect(number.startsWith(first) && number.endsWith(last)).toBe(true);
      }),
    );
  });

  it.each([
    ['+12025550143', '+12025•••43'],
    ['+442079460018', '+44207•••18'],
    ['12345', '•••5'],
    ['911', '•••'],
    ['', '•••'],
    ['SHOP', '•••'],
  ])('%s becomes %s', (number, masked) => {
    expect(maskPhone(number)).toBe(masked);
  });
});

describe('maskNumbers', () => {
  it.each([
    ['Unknown subscriber +12025550143', 'Unknown subscriber +12025•••43'],
    ['12025550143: off, (202) 555-0143: on', '12025•••43: off, (2025•••43: on'],
    ['to +1 202.555\u20110143.', 'to +12025•••43.'],
    ['to ١٢٠٢٥٥٥٠١٤٣', 'to ١٢٠٢٥•••٤٣'],
    ['error 30003 after 120 s, 2 of 3', 'error 30003 after 120 s, 2 of 3'],
    ['code 123456', 'code 123456'],
  ])('%s is %s', (text, masked) => {
    expect(maskNumbers(text)).toBe(masked);
  });
});
