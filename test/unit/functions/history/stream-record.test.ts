import { expect, it } from 'vitest';
import {
  HistoryRecordError,
  itemOfImage,
  mapsUnder,
  requireTexts,
} from '../../../../functions/history/stream-record.ts';

it('an image of a record is read with lists and maps, and without bytes, which no item has', () => {
  const image = { pk: { S: 'a' }, e: { L: [{ N: '1' }] }, m: { M: { b: { BOOL: true } } } };
  expect(itemOfImage({ ...image, n: { NULL: true } })).toEqual({
    pk: { S: 'a' },
    e: { L: [{ N: '1' }] },
    m: { M: { b: { BOOL: true } } },
    n: { NULL: true },
  });
  for (const value of [{ SS: ['a'] }, { B: 'AQI=' }])
    expect(() => itemOfImage({ value })).toThrow(HistoryRecordError);
});

it('items that this pipeline did not write are refused, with the name of what is missing', () => {
  expect(() => requireTexts({}, ['status'], 'report')).toThrow('report: no text in status');
  expect(mapsUnder({ 'mismatch#1': { M: { a: { S: 'b' } } }, other: { S: 'c' } }, 'mismatch#')).toEqual([
    { a: { S: 'b' } },
  ]);
});
