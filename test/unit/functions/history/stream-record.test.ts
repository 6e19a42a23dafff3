import { expect, it } from 'vitest';
import {
  HistoryRecordError,
  itemOfImage,
  mapsUnder,
  requireTexts,
} from '../../../../functions/history/stream-record.ts';

it('an image of a record is read with bytes, lists and maps', () => {
  const image = { pk: { S: 'a' }, g: { B: 'AQI=' }, e: { L: [{ N: '1' }] }, m: { M: { b: { BOOL: true } } } };
  expect(itemOfImage({ ...image, n: { NULL: true } })).toEqual({
    ...{ pk: { S: 'a' }, g: { B: Buffer.from([1, 2]) }, e: { L: [{ N: '1' }] } },
    ...{ m: { M: { b: { BOOL: true } } }, n: { NULL: true } },
  });
  expect(() => itemOfImage({ set: { SS: ['a'] } })).toThrow(HistoryRecordError);
});

it('items that this pipeline did not write are refused, with the name of what is missing', () => {
  expect(() => requireTexts({}, ['status'], 'report')).toThrow('report: no text in status');
  expect(mapsUnder({ 'novelty#1': { M: { a: { S: 'b' } } }, other: { S: 'c' } }, 'novelty#')).toEqual([
    { a: { S: 'b' } },
  ]);
});
