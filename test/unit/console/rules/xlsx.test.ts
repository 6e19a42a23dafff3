import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { xlsxFile } from '../../../../console/rules/xlsx.ts';

/** Returns the cells of the sheet in XML, by row. */
function cellsOf(rows: readonly (readonly string[])[], amounts: readonly string[] = []): readonly string[][] {
  const parts = unzipSync(xlsxFile(rows, new Set(amounts)));
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c.*?<\/c>/gs)].map(([one]) => one),
  );
}

const textCell = (xml: string) => `<c t="inlineStr"><is><t xml:space="preserve">${xml}</t></is></c>`;

test('a number and a code with zeros in front are texts, and a count is a number', () => {
  expect(
    cellsOf(
      [
        ['number', 'code', 'messages'],
        ['+12025550143', '0007', '1200'],
      ],
      ['messages'],
    )[1],
  ).toEqual([textCell('+12025550143'), textCell('0007'), '<c><v>1200</v></c>']);
});

test('no cell is a formula, whatever a text begins with, and none ends its cell', () => {
  const texts = ['=1+1', '@SUM(1)', '\t=cmd', '</t></is></c><c><f>1+1</f></c>', '"=1"'];
  const [cells = []] = cellsOf([texts]);
  expect(cells).toHaveLength(texts.length);
  for (const cell of cells)
    expect(cell).toMatch(/^<c t="inlineStr"><is><t xml:space="preserve">[^<]*<\/t><\/is><\/c>$/);
  expect(cells[0]).toBe(textCell('=1+1'));
  // A text in a column of counts stays a text.
  expect(cellsOf([['messages'], ['=1+1'], ['1e5'], ['']], ['messages']).slice(1)).toEqual([
    [textCell('=1+1')],
    [textCell('1e5')],
    ['<c/>'],
  ]);
});

test('a text is what it was, without what XML has no place for', () => {
  expect(cellsOf([['São\u0000 “x” 👍 \ud800 _x0041_ a&b']])[0]).toEqual([
    textCell('São “x” 👍  _x005F_x0041_ a&amp;b'),
  ]);
});

test('the workbook names its sheet', () => {
  const parts = unzipSync(xlsxFile([['a']], new Set()));
  expect(Object.keys(parts)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/worksheets/sheet1.xml',
  ]);
  for (const part of Object.values(parts)) expect(strFromU8(part)).toMatch(/^<\?xml version="1.0"/);
});

test('a text that is cut ends with a whole character', () => {
  const [[cell = ''] = []] = cellsOf([[`${'a'.repeat(32_766)}\u{1F600}`]]);
  expect(cell).toBe(textCell('a'.repeat(32_766)));
});
