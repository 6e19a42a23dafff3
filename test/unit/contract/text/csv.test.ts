import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from '../../../../contract/text/csv.ts';
import { assertProperty } from '../../../support/property.ts';

/**
 * Returns the cells of a row as spreadsheets read them that separate cells by something else than commas: a quote at the beginning of a cell opens
 * it, and after the quote that closes it everything up to the next separator belongs to the cell.
 */
function cellsOf(row: string, separator: string): string[] {
  const cell = new RegExp(`"((?:[^"]|"")*)"?([^${separator}\r\n]*)|([^${separator}\r\n]*)`, 'y');
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at = cell.lastIndex + 1) {
    cell.lastIndex = at;
    const [, quoted, rest = '', plain = ''] = cell.exec(row) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + rest);
  }
  return cells;
}

const fieldOf = (text: string) => csvRow([text]).slice(0, -2);

describe('a row of CSV', () => {
  it.each(['=1+1', '+cmd', '+0123', '+12025550143 ', '-2', '@SUM(A1)', ' =1', '\t=1', '＝1', '\u200b=1'])(
    'has an apostrophe before %j, which a spreadsheet takes for a formula',
    (text) => {
      expect(fieldOf(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it.each(['+12025550143', 'a=b', '', 'Yes - no', "it's"])('has %j as it is', (text) => {
    expect(fieldOf(text)).toBe(text);
  });

  it.each([
    ['b;=1+1', "b;'=1+1"],
    ['a; @SUM(A1);-2', "a; '@SUM(A1);'-2"],
    ['a\n \n=1', '"a\n \n\'=1"'],
    ['a\t+1', '"a\t\'+1"'],
    [';＝1', ";'＝1"],
    ['a;"=1+1;b', `"a;""'=1+1;b"`],
    ['a\n"=1', `"a\n""'=1"`],
    ['a; " @SUM(A1)', `"a; "" '@SUM(A1)"`],
    ['Yes; a-b = c', 'Yes; a-b = c'],
  ])('has no formula in %j for a spreadsheet that separates cells by semicolons', (text, field) => {
    expect(fieldOf(text)).toBe(field);
  });

  it('quotes quotes, commas and line breaks', () => {
    expect(fieldOf('a "b", c\r\nd')).toBe('"a ""b"", c\r\nd"');
  });

  it('has numbers and truth values as they are, and nothing for what is missing', () => {
    expect(csvRow([1, -2, true, null, undefined, 'a'])).toBe('1,-2,true,,,a\r\n');
  });

  it('has no formula and no invisible character, whatever the text is', () => {
    assertProperty(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            '=',
            '+',
            '@',
            '\t',
            '\r',
            '\n',
            ' ',
            '"',
            ',',
            ';',
            'a',
            '\u200b',
            '\u001b',
            '\u202e',
          ),
        }),
        (text) => {
          const row = csvRow([text]);
          const field = (/^"(.*)"\r\n$/s.exec(row)?.[1] ?? row.slice(0, -2)).replaceAll('""', '"');
          expect(field).not.toMatch(/(?:^|[;\t\r\n])\s*[=+@]/);
          for (const separator of [',', ';', '\t'])
            for (const cell of cellsOf(csvRow(['id', text]), separator))
              expect(cell).not.toMatch(/^\s*[=+@]/);
          expect(field).not.toMatch(/[\p{Bidi_Control}\u200b]/u);
          expect(field.replaceAll(/[\t\r\n]/g, '')).not.toMatch(/\p{Cc}/u);
          expect(row.endsWith('\r\n')).toBe(true);
        },
      ),
    );
  });
});
