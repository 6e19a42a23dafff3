import { describe, expect, it } from 'vitest';
import { createStyle, renderFields, renderTable } from '../../../../cli/text/table.ts';

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
