import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  clip,
  createStyle,
  displayWidth,
  pad,
  renderFields,
  renderTable,
  wrap,
} from '../../../../cli/text/table.ts';
import { assertProperty } from '../../../support/property.ts';

const plain = createStyle(false);
const columns = [{ title: 'ID', maximum: 6 }, { title: 'TEXT' }];

describe('renderTable', () => {
  it('lines columns up by what they take on a terminal', () => {
    const rows = [
      [{ text: '你好' }, { text: 'x' }],
      [{ text: 'abc' }, { text: 'y' }],
    ];
    expect(renderTable(columns, rows, { style: plain, columns: undefined })).toBe(
      'ID    TEXT\n你好  x\nabc   y',
    );
  });

  it('clips and wraps for a terminal only', () => {
    const rows = [[{ text: 'a-long-id' }, { text: 'one two three four five six' }]];
    expect(renderTable(columns, rows, { style: plain, columns: 24 })).toBe(
      'ID      TEXT\na-lon…  one two three\n        four five six',
    );
    expect(renderTable(columns, rows, { style: plain, columns: undefined })).toBe(
      'ID         TEXT\na-long-id  one two three four five six',
    );
  });

  it('shows only the beginning of a very long cell', () => {
    const rows = [[{ text: 'id' }, { text: 'x'.repeat(100_000) }]];
    const lines = renderTable(columns, rows, { style: plain, columns: 80 }).split('\n');
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toContain('--json has all of it');
  });

  it('accepts any number of rows', () => {
    const rows = Array.from({ length: 200_000 }, () => []);
    const table = renderTable(columns, rows, { style: plain, columns: undefined });
    expect(table.split('\n')).toHaveLength(200_001);
  });

  it('styles texts, not the padding', () => {
    const rows = [[{ text: 'a', format: 'green' as const }, { text: 'b' }]];
    const table = renderTable(columns, rows, { style: createStyle(true), columns: undefined });
    expect(table).toContain('\u001b[32ma\u001b[39m   b');
  });
});

describe('renderFields', () => {
  it('lines the values up', () => {
    const fields = renderFields(
      [
        ['A', '1'],
        ['Name', '2'],
      ],
      { style: plain, columns: undefined },
    );
    expect(fields).toBe('A     1\nName  2');
  });
});

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

  it.each([
    ['ASCII', 'x'],
    ['emoji of several characters', '1\ufe0f\u20e3'],
    ['wide letters', '好'],
  ])('wrap reads a long word of %s at most three times', (_name, character) => {
    const segments = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    try {
      const word = character.repeat(2000);
      expect(wrap(word, 20).join('')).toBe(word);
      const characters = segments.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
      // Each visible character is measured on its own once more.
      expect(characters).toBeLessThanOrEqual(3 * word.length);
    } finally {
      segments.mockRestore();
    }
  });

  it('wrap breaks between words, and within words longer than a line', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
    expect(wrap('', 8)).toEqual(['']);
    expect(wrap('好', 1)).toEqual(['好']);
  });
});
