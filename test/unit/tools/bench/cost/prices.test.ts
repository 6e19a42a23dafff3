import { describe, expect, it } from 'vitest';
import {
  allBillables,
  costOf,
  PriceFileError,
  parsePrices,
  readPriceFile,
} from '../../../../../tools/bench/cost/prices.ts';
import shipped from '../../../../../tools/bench/cost/prices-us-east-1.json' with { type: 'json' };

const withPrices = (changes: object) =>
  JSON.stringify({ ...shipped, prices: { ...shipped.prices, ...changes } });
const withPrice = (changes: object) =>
  withPrices({ sqsRequests: { ...shipped.prices.sqsRequests, ...changes } });
const problemOf = (text: string): string => {
  try {
    parsePrices(text, 'mine.json');
  } catch (error) {
    if (error instanceof PriceFileError) return error.message;
    throw error;
  }
  return 'none';
};

describe('a price file', () => {
  it('ships with a price, a page and a date for everything that is billed', () => {
    expect(Object.keys(parsePrices(JSON.stringify(shipped), 'shipped').prices).sort()).toEqual(
      [...allBillables].sort(),
    );
  });

  it.each([
    ['a price below zero', withPrice({ amount: -1 }), 'prices.sqsRequests.amount'],
    ['a misspelt field', withPrice({ ammount: 1 }), 'prices.sqsRequests: '],
    [
      'tiers in disorder',
      withPrice({ above: [2, 1].map((over) => ({ over, amount: 1 })) }),
      'prices.sqsRequests.above: expected the fewest units first',
    ],
    ['a missing price', withPrices({ sqsRequests: undefined }), 'sqsRequests'],
    ['an unknown price', withPrices({ sqsMessages: shipped.prices.sqsRequests }), 'sqsMessages'],
    ['no JSON', '{', '--price-file mine.json: not JSON'],
  ])('with %s is rejected with the place of the error', (_, text, where) => {
    expect(problemOf(text)).toContain('--price-file mine.json');
    expect(problemOf(text)).toContain(where);
  });

  it('that is missing is named', () => {
    expect(() => readPriceFile('/nonexistent/mine.json')).toThrow('/nonexistent/mine.json');
  });
});

describe('what units cost', () => {
  const price = {
    ...{ amount: 1, per: 10, unit: 'ten', url: 'https://a.test/', date: '2026-01-01' },
    above: [
      { over: 100, amount: 0.5 },
      { over: 200, amount: 0.25 },
    ],
  };

  it.each([
    [0, 0],
    [50, 5],
    [100, 10],
    [150, 12.5],
    [300, 10 + 5 + 2.5],
  ])('%i units: %d', (units, dollars) => expect(costOf(price, units)).toBeCloseTo(dollars));
});
