import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, displayWidth, pad, wrap } from '../../../../cli/text/table.ts';
import { assertProperty } from '../../../support/property.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '好', '👍', ' ', 'e\u0301', '👩‍👩‍👧') });

describe('displayWidth', () => {
  it.each([
    ['plain', 5],
    ['你好', 4],
    ['ｆｕｌｌ', 8],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['🇧🇷', 2],
    ['e\u0301', 1],
    ['\u200c', 0],
    ['', 0],
  ])('%s takes %i columns', (given, width) => {
    expect(displayWidth(given)).toBe(width);
  });
});

describe('clip, pad and wrap', () => {
  it('clip shortens to a width, with an ellipsis', () => {
    expect(clip('exact', 5)).toBe('exact');
    expect(clip('longer', 5)).toBe('long…');
    expect(clip('你好吗', 4)).toBe('你…');
    assertProperty(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (given, width) => {
        expect(displayWidth(clip(given, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('pad fills to a width and never cuts', () => {
    expect(pad('好', 4)).toBe('好  ');
    expect(pad('longer', 4)).toBe('longer');
  });

  it('wrap makes lines that fit and loses no character', () => {
    assertProperty(
      fc.property(text, fc.integer({ min: 2, max: 12 }), (given, width) => {
        const lines = wrap(given, width);
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''));
      }),
    );
  });

  it('wrap breaks between words, and within words longer than a line', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
    expect(wrap('', 8)).toEqual(['']);
    expect(wrap('好', 1)).toEqual(['好']);
  });
});
