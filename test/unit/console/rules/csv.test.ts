import { describe, expect, test } from 'vitest';
import { csvText } from '../../../../console/rules/csv.ts';

const fieldOf = (text: string) => csvText([[text]]).slice(1, -2);

describe('CSV', () => {
  test.each(['=1+1', '+cmd', '-2', '@SUM(A1)', ' =1', '\t=1', '＝1', '=HYPERLINK("http://x")'])(
    'puts an apostrophe before %j, which a spreadsheet takes for a formula',
    (text) => {
      expect(fieldOf(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  test.each(['+12025550143', 'a=b', '', 'Yes - no'])('leaves %j as it is', (text) => {
    expect(fieldOf(text)).toBe(text);
  });

  test('quotes quotes, commas and line breaks', () => {
    expect(fieldOf('a "b", c\r\nd')).toBe('"a ""b"", c\r\nd"');
  });

  test('begins with a byte order mark, and ends each row', () => {
    expect(
      csvText([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ).toBe('\uFEFFa,b\r\nc,d\r\n');
  });
});
