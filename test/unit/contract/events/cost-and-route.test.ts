import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  readCarrier,
  readCurrency,
  readNetwork,
  readPrice,
  readSegments,
} from '../../../../contract/events/cost-and-route.ts';
import { assertProperty } from '../../../support/property.ts';

it.each([
  ['0.0075', '0.0075'],
  ['-0.00750', '0.0075'],
  ['+1.50', '1.5'],
  ['.5', '0.5'],
  ['7.', '7'],
  [' 0.03330000 ', '0.0333'],
  ['0', '0'],
  ['-0.0', '0'],
  ['007', '7'],
  ['1E-7', '0.0000001'],
  ['0E-8', '0'],
  ['1.5e3', '1500'],
  ['999999999.99', '999999999.99'],
  [0.00581, '0.00581'],
  [7.5e-7, '0.00000075'],
  [0.1 + 0.2, '0.3'],
  [12, '12'],
])('a price of %j is %s', (value, price) => {
  expect(readPrice(value)).toBe(price);
});

it.each([
  '',
  ' ',
  '.',
  '-',
  'e5',
  '1,5',
  '$1',
  '1 USD',
  '0x10',
  'NaN',
  '1e400',
  '1000000000',
  '1e9',
  '1e-40',
  null,
  undefined,
  true,
  {},
  ['1'],
  Number.NaN,
  Number.POSITIVE_INFINITY,
])('%j is no price', (value) => {
  expect(readPrice(value)).toBeUndefined();
});

it('a price is the same number as it was sent, in the one form that prices have', () => {
  assertProperty(
    fc.property(fc.nat(999_999_999), fc.nat(999_999), fc.nat(3), (whole, fraction, zeros) => {
      const text = `${whole}.${String(fraction).padStart(6, '0')}${'0'.repeat(zeros)}`;
      const price = readPrice(text) ?? '';
      expect(Number(price)).toBe(Number(text));
      expect(price).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(readPrice(price)).toBe(price);
    }),
  );
});

it('a currency is one of ISO 4217, in capitals', () => {
  const read = ['USD', 'eur', ' Brl ', 'XYZ', 'US', 'dollars', '', 840, null].map(readCurrency);
  expect(read).toEqual(['USD', 'EUR', 'BRL', ...Array.from({ length: 6 }, () => undefined)]);
});

it('a number of parts is whole, from 1 to 255', () => {
  expect([1, '2', ' 03 ', 255].map(readSegments)).toEqual([1, 2, 3, 255]);
  for (const value of [0, '0', 256, 1.5, '1.5', -1, '', 'two', null, true, [1]])
    expect(readSegments(value)).toBeUndefined();
});

it('a network is five or six digits', () => {
  expect(['310410', 20801, '310-410', '310 04', ' 310410 '].map(readNetwork)).toEqual([
    '310410',
    '20801',
    '310410',
    '31004',
    '310410',
  ]);
  for (const value of ['3104', '3104100', '31-0410', 'AT&T', '', null, 3.1041, '+12025550143'])
    expect(readNetwork(value)).toBeUndefined();
});

it('a carrier is a text', () => {
  expect(readCarrier(' T-Mobile ')).toBe('T-Mobile');
  for (const value of ['', '  ', null, {}, true]) expect(readCarrier(value)).toBeUndefined();
});
