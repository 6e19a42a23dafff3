import { expect, it } from 'vitest';
import { maskPhone } from '../../../../contract/phone/phone-key.ts';

it.each([
  ['+12025550143', '•••0143'],
  ['202 555 0143', '•••0143'],
  ['55501', '•••1'],
  ['143', '•••'],
  ['', '•••'],
])('maskPhone turns %j into %j', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});
