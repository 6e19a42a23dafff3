import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CursorError,
  decodeCursor,
  encodeCursor,
  type Position,
} from '../../../../../functions/history/lists/cursor.ts';
import { assertProperty } from '../../../../support/property.ts';

const position: Position = { at: '2026-01-15T12:00:00.000Z', partition: 3, key: 'message#m-1' };
const list = ['phone', '+12025550143'];

const positions = fc.record<Position>({
  at: fc
    .date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  partition: fc.nat(255),
  key: fc.option(fc.string({ minLength: 1, unit: 'grapheme' })),
});

describe('a cursor', () => {
  it('returns its position, fits a URL, and is valid for its list only', () => {
    assertProperty(
      fc.property(positions, fc.array(fc.string()), (given, identity) => {
        const cursor = encodeCursor(given, identity);
        expect(cursor).toMatch(/^[\w.-]+$/);
        expect(decodeCursor(cursor, identity)).toEqual(given);
        expect(() => decodeCursor(cursor, [...identity, 'x'])).toThrow(CursorError);
      }),
    );
  });

  it('is the same after each deployment', () => {
    expect(encodeCursor(position, list)).toBe(
      'WzIsIjIwMjYtMDEtMTVUMTI6MDA6MDAuMDAwWiIsMywibWVzc2FnZSNtLTEiXQ.yJGuqZBgY6PU3zHS',
    );
  });

  it('is rejected if one of its characters is changed', () => {
    const cursor = encodeCursor(position, list);
    for (let index = 0; index < cursor.length; index++) {
      const other = cursor[index] === 'A' ? 'B' : 'A';
      const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
      expect(() => decodeCursor(changed, list)).toThrow(CursorError);
    }
  });

  it.each([
    '',
    '.',
    'x',
    'a.b.c',
    `${encodeCursor(position, list)}.x`,
    encodeCursor(position, list).slice(0, -1),
  ])('is rejected if it is %j', (text) => {
    expect(() => decodeCursor(text, list)).toThrow('made for another list');
  });

  it('is rejected despite a right checksum if its content is not that of a cursor', () => {
    for (const wrong of [
      { ...position, at: 'yesterday' },
      { ...position, at: '2026-13-45T99:99:99.999Z' },
      { ...position, at: '2026-02-30T00:00:00.000Z' },
      // No millisecond is before the first one.
      { ...position, at: '-271821-04-20T00:00:00.000Z' },
      { ...position, at: '+275760-09-13T00:00:00.000Z' },
      { ...position, partition: 0.5 },
      { ...position, key: '' },
      // DynamoDB keeps Unicode only.
      { ...position, key: 'message#\ud800' },
    ])
      expect(() => decodeCursor(encodeCursor(wrong, list), list)).toThrow(CursorError);
  });
});
