import { expect, it } from 'vitest';
import { countryOf } from '../../../../../functions/insights/counters/country.ts';

it.each([
  ['+12025550143', 'US'],
  ['+14165550123', 'CA'],
  ['+5511955550143', 'BR'],
  // The plan does not have this number, which is for fiction.
  ['+447700900123', 'GB'],
  ['+80012345678', 'ZZ'],
  ['ACME', 'ZZ'],
  ['12345', 'ZZ'],
  [undefined, 'ZZ'],
])('the country of %s is %s', (phone, country) => {
  expect(countryOf(phone)).toBe(country);
});
