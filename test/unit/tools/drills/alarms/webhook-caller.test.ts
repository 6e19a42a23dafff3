import { expect, it } from 'vitest';
import { anotherPhone } from '../../../../../tools/drills/alarms/webhook-caller.ts';

it('makes fictitious numbers only, and none twice', () => {
  const phones = Array.from({ length: 300 }, anotherPhone);
  expect(new Set(phones).size).toBe(300);
  expect(phones.filter((phone) => !/^\+1\d{3}55501\d{2}$/.test(phone))).toEqual([]);
});
