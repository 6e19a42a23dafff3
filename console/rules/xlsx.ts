import { strToU8, zipSync } from 'fflate';

/** A cell that Excel shows has at most so many characters. */
const maxCellLength = 32_767;

/** XML 1.0 has no other control characters, and no halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const notInXml = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/** Excel reads `_x0041_` in a text as the letter A. */
const escapeOfExcel = /_(?=x[\dA-Fa-f]{4}_)/g;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xmlText(text: string): string {
  return text
    .slice(0, maxCellLength)
    .replace(notInXml, '')
    .replace(escapeOfExcel, '_x005F_')
    .replace(/[&<>"]/g, (one) => entities[one] ?? '');
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const types = 'http://schemas.openxmlformats.org';
const relations = `${types}/package/2006/relationships`;
const office = `${types}/officeDocument/2006/relationships`;
const main = `${types}/spreadsheetml/2006/main`;
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const xlsxType = `${media}.sheet`;

/** The parts of a workbook with one sheet (ECMA-376, part 1). */
const workbook: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${types}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="SMS" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};

/** Counts and prices, which a spreadsheet may add up. */
const amount = /^\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Writes a workbook of Excel. Each cell has a type, so that a code keeps its zeros and nothing is a formula, and no separator or encoding depends on
 * the language of the reader's Excel, as that of a CSV does.
 *
 * @param rows the first one has the names of the columns
 * @param amounts the names of the columns with numbers; all other cells are texts
 */
export function xlsxFile(
  rows: readonly (readonly string[])[],
  amounts: ReadonlySet<string>,
): Uint8Array<ArrayBuffer> {
  const [names = []] = rows;
  const cell = (text: string, index: number) => {
    if (text === '') return '<c/>';
    if (amounts.has(names[index] ?? '') && amount.test(text)) return `<c><v>${text}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
  };
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('');
  const parts = {
    ...workbook,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(declaration + xml)])),
  );
}
