import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openCsv } from '../../../../cli/output/entry-format.ts';
import { sanitizeLines } from '../../../../cli/text/sanitize.ts';
import { assertProperty } from '../../../support/property.ts';

/** Reads CSV as RFC 4180 section 2 has it. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain = '', end] of csv.matchAll(field)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

describe('CSV', () => {
  it('writes its header once, and line ends of RFC 4180', async () => {
    const write = openCsv(['a', 'b']);
    expect(write([])).toBe('a,b\r\n');
    expect(write([{ a: 1, b: true }])).toBe('1,true\r\n');
    expect(write([{ a: null, b: 'x,"y"\nz' }, { b: false }])).toBe(',"x,""y""\nz"\r\n,false\r\n');
    expect(write([])).toBe('');
  });

  it.each([
    ['=HYPERLINK("http://x.example")', '"\'=HYPERLINK(""http://x.example"")"'],
    ['+1+cmd', "'+1+cmd"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    // The characters that are left out must not hide a formula.
    ['\u200b=1', "'=1"],
    ['\u001b[2J=1', "'=1"],
    ['\ufeff+1', "'+1"],
    ['+12025550143', '+12025550143'],
    ['+12025550143 ', "'+12025550143 "],
    ['+0123', "'+0123"],
  ])('shows %j as %s', async (text, cell) => {
    const write = openCsv(['a']);
    expect(write([{ a: text }])).toBe(`a\r\n${cell}\r\n`);
  });

  it('round-trips, contains no formula and no control character', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', 'a', '\u200b') }),
    );
    await assertProperty(
      fc.asyncProperty(fc.array(fc.record({ a: text, b: text }), { minLength: 1 }), async (records) => {
        const write = openCsv(['a', 'b']);
        const csv = write(records);
        const rows = parse(csv).slice(1);
        expect(rows).toHaveLength(records.length);
        const texts = records.flatMap(({ a, b }) => [a, b].map(sanitizeLines));
        for (const [index, cell] of rows.flat().entries()) {
          // Nothing but apostrophes is added.
          expect(cell.replaceAll("'", '')).toBe(texts[index]?.replaceAll("'", ''));
          expect(cell).not.toMatch(/^(?![+][1-9]\d{1,14}$)[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/);
          expect(cell).not.toMatch(/[;\t\r\n]\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
          expect(cell.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        }
      }),
    );
  });
});
