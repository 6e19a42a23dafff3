import fc from 'fast-check';
import { expect, it } from 'vitest';
import { maskDigits } from '../../../../functions/core/alerts/mask-digits.ts';

it.each([
  ['to +12025550143 failed', 'to +*** failed'],
  ['to +1 (202) 555-0143.', 'to +***.'],
  ['202.555.0143/202 555 0144', '***'],
  ['٢٠٢٥٥٥٠١٤٣', '***'],
  ['error 30008: handset 12345 unknown', 'error 30008: handset 12345 unknown'],
  ['12345 x 67890', '12345 x 67890'],
  ['', ''],
])('%j becomes %j', (text, masked) => {
  expect(maskDigits(text, 6)).toBe(masked);
});

it('leaves no run of six digits in any text', () => {
  const words = fc.array(
    fc.oneof(fc.string(), fc.stringMatching(/^\d{1,12}$/), fc.constantFrom(' ', '-', '.', '(')),
  );
  fc.assert(
    fc.property(words, (parts) => {
      expect(maskDigits(parts.join(''), 6)).not.toMatch(/\d{6}/);
    }),
  );
});
