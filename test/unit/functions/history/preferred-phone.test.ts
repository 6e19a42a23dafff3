import fc from 'fast-check';
import { expect, it } from 'vitest';
import { preferredPhone } from '../../../../functions/history/message.ts';
import { assertProperty } from '../../../support/property.ts';

const phone = fc.option(
  fc.oneof(
    fc.constantFrom('+12025550143', '+12025550100', '(202) 555-0143', '55501', 'Acme', '+', '+1 202', ''),
    fc.string({ maxLength: 4 }),
  ),
  { nil: undefined },
);

it.each([
  ['(202) 555-0143', '+12025550143', '+12025550143'],
  ['+1 202 555 0143', '+12025550143', '+12025550143'],
  ['+12025550143', '+12025550100', '+12025550100'],
  ['Acme', '55501', '55501'],
  [undefined, 'Acme', 'Acme'],
  [undefined, undefined, undefined],
])('the preferred phone of %s and %s is %s', (a, b, expected) => {
  expect(preferredPhone(a, b)).toBe(expected);
  expect(preferredPhone(b, a)).toBe(expected);
});

it('the preferred phone is one of the two, and the choice is associative, commutative and idempotent', () => {
  assertProperty(
    fc.property(phone, phone, phone, (a, b, c) => {
      expect(preferredPhone(a, preferredPhone(b, c))).toBe(preferredPhone(preferredPhone(a, b), c));
      expect(preferredPhone(a, b)).toBe(preferredPhone(b, a));
      expect(preferredPhone(a, a)).toBe(a);
      expect([a, b]).toContain(preferredPhone(a, b));
    }),
    { numRuns: 1000 },
  );
});
