import { describe, expect, it } from 'vitest';
import { billWrite, type Item, sizeOf } from '../../../../tools/support/write-rules.ts';

const indexes = [
  { name: 'byNumber', keys: ['phone', 'at', 'pk'] },
  { name: 'byList', keys: ['listName', 'listedAt', 'pk'] },
];
const text = (length: number) => ({ S: 'x'.repeat(length) });

describe('the size of an item', () => {
  it.each<[string, Item, number]>([
    ['text in UTF-8, names included', { né: { S: 'ü' } }, 3 + 2],
    ['binary', { a: { B: new Uint8Array(7) } }, 1 + 7],
    ['a flag and nothing', { a: { BOOL: false }, b: { NULL: true } }, 1 + 1 + 1 + 1],
    ['a map', { a: { M: { bc: { S: 'xyz' }, d: { BOOL: true } } } }, 1 + 3 + (2 + 3 + 1) + (1 + 1 + 1)],
    ['a list', { a: { L: [{ S: 'xy' }, { N: '1' }] } }, 1 + 3 + (2 + 1) + (2 + 1)],
    ['an empty map', { a: { M: {} } }, 1 + 3],
    ['sets', { a: { SS: ['b', 'cd'] }, b: { NS: ['12'] }, c: { BS: [new Uint8Array(2)] } }, 4 + 3 + 3],
  ])('counts %s', (_, item, size) => {
    expect(sizeOf(item)).toBe(size);
  });

  it('counts a number by its significant digits', () => {
    const size = (N: string) => sizeOf({ a: { N } }) - 1;
    expect(['0', '7', '12', '123', '-123', '1200', '0.0012', '1.5e10'].map(size)).toEqual([
      1, 2, 2, 3, 4, 2, 2, 2,
    ]);
  });
});

describe('a write', () => {
  const open = { pk: text(3), phone: text(12), at: text(24), listName: text(9), listedAt: text(24) };

  it('of a new item puts it into the table and each index whose keys it has', () => {
    expect(billWrite(undefined, open, indexes)).toEqual({
      table: 1,
      indexes: { byNumber: 1, byList: 1 },
    });
    expect(billWrite(undefined, { pk: text(3), at: text(24) }, indexes)).toEqual({ table: 1, indexes: {} });
  });

  it('that changes nothing of an index costs it nothing', () => {
    const updated = { ...open, other: text(50) };
    expect(billWrite(open, updated, indexes)).toEqual({ table: 1, indexes: {} });
  });

  it('that changes a key of an index takes the old entry out and puts a new one in', () => {
    expect(billWrite(open, { ...open, listName: { S: 'failed' } }, indexes).indexes).toEqual({
      byList: 2,
    });
  });

  it('that changes what an index repeats of an item writes its entry once', () => {
    const repeating = [{ name: 'byNumber', keys: ['phone', 'at', 'pk'], repeats: ['status'] }];
    const sent = { ...open, status: { S: 'sent' } };
    const delivered = { ...open, status: { S: 'delivered' }, other: text(5) };
    expect(billWrite(sent, delivered, repeating).indexes).toEqual({ byNumber: 1 });
    expect(billWrite(sent, { ...sent, other: text(5) }, repeating).indexes).toEqual({});
  });

  it('that takes an item out of an index costs one write there', () => {
    const { listName, listedAt, ...done } = open;
    expect(billWrite(open, done, indexes).indexes).toEqual({ byList: 1 });
    expect(billWrite(open, { ...done, listName }, indexes).indexes).toEqual({ byList: 1 });
    expect(billWrite(done, { ...done, listedAt }, indexes).indexes).toEqual({});
  });

  it('costs a unit for each kilobyte begun of the larger of the two items', () => {
    const sized = (bytes: number): Item => ({ a: text(bytes - 1) });
    expect(billWrite(undefined, sized(1024), []).table).toBe(1);
    expect(billWrite(undefined, sized(1025), []).table).toBe(2);
    expect(billWrite(sized(3000), sized(10), []).table).toBe(3);
    expect(billWrite(sized(3000), undefined, []).table).toBe(3);
    expect(billWrite(undefined, undefined, []).table).toBe(1);
  });

  it('costs an index by the size of its entries', () => {
    const long = { ...open, phone: text(1500) };
    expect(billWrite(open, long, indexes).indexes).toEqual({ byNumber: 1 + 2 });
  });
});
