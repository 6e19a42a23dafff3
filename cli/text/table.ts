import { styleText } from 'node:util';
import stringWidth from 'string-width';
import type { Outcome } from '../../contract/schema/sms-event.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Splits a text into what a reader sees as characters. */
function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Each of these characters takes one column, whatever its neighbours. */
const plain = /^[ -~]*$/;

/** Returns how many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  // The library takes seconds for a table of 200,000 rows; most texts do not need it.
  if (plain.test(text)) return text.length;
  return stringWidth(text);
}

/** Pads a text with spaces to a width. */
export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Shortens a text to a width, with an ellipsis. */
export function clip(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `${head(text, width - 1)}…`;
}

/** Breaks a text into lines of a width, between words and within words that are longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ +/)) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (displayWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = breakWord(word, width);
    line = parts.pop() ?? '';
    for (const part of parts) lines.push(part);
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** Breaks a word into parts of a width, in one pass: a text of a person may be one word. A character wider than the line gets a part of its own. */
function breakWord(word: string, width: number): string[] {
  const characters = graphemes(word);
  const widths = characters.map(displayWidth);
  let left = widths.reduce((sum, one) => sum + one, 0);
  const parts: string[] = [];
  let begin = 0;
  while (left > width) {
    let end = begin;
    let room = width - (widths[end] ?? 0);
    do {
      left -= widths[end] ?? 0;
      end += 1;
      room -= widths[end] ?? 0;
    } while (room >= 0 && end < characters.length);
    parts.push(characters.slice(begin, end).join(''));
    begin = end;
  }
  return [...parts, characters.slice(begin).join('')];
}

function head(text: string, width: number): string {
  let taken = '';
  let room = width;
  for (const { segment } of segmenter.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    taken += segment;
  }
  return taken;
}

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Styles a text; without colour it returns the text unchanged. */
export type Style = (format: Format, text: string) => string;

export function createStyle(colour: boolean): Style {
  return colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/** The colour of a status by its outcome. */
export const outcomeFormat: Readonly<Record<Outcome, Format>> = {
  open: 'cyan',
  unknown: 'yellow',
  failure: 'red',
  success: 'green',
};

export interface Cell {
  readonly text: string;
  readonly format?: Format;
}

export interface Column {
  readonly title: string;
  /** The maximum width of the column if the page has a width; longer texts are clipped. */
  readonly maximum?: number;
  /** Whether texts of the last column stay on one line, even beyond the page, so that they can be copied. */
  readonly whole?: true;
}

/** The page that a text is laid out for. */
export interface Page {
  readonly style: Style;
  /** The columns of the terminal; undefined without a terminal, when nothing is clipped or wrapped. */
  readonly columns: number | undefined;
}

const gap = '  ';

/** The minimum width of the last column, even if the line becomes longer than the terminal. */
const minLastWidth = 16;

/** How many lines of a cell in the last column are shown. */
const maxLines = 12;

/** Lays out rows in columns. The last column takes the remaining width, on several lines if needed. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  page: Page,
): string {
  return openTable(columns, page)(rows);
}

/** Lays out a table in parts. The first has the header; columns grow with later parts. */
export function openTable(
  columns: readonly Column[],
  page: Page,
): (rows: readonly (readonly Cell[])[]) => string {
  let header: readonly (readonly Cell[])[] = [columns.map(({ title }) => ({ text: title, format: 'dim' }))];
  let widths = columns.map(() => 0);
  return (rows) => {
    const clipped = [...header, ...rows].map((row) =>
      row.map((cell, index) => {
        const maximum = page.columns === undefined ? undefined : columns[index]?.maximum;
        return maximum === undefined ? cell : { ...cell, text: clip(cell.text, maximum) };
      }),
    );
    header = [];
    widths = widths.map((width, index) =>
      clipped.reduce((widest, row) => Math.max(widest, displayWidth(row[index]?.text ?? '')), width),
    );
    const isWhole = columns.at(-1)?.whole === true;
    return clipped.map((row) => renderRow(row, widths, isWhole, page)).join('\n');
  };
}

function renderRow(
  row: readonly Cell[],
  widths: readonly number[],
  isWhole: boolean,
  { style, columns }: Page,
): string {
  const paint = (cell: Cell, text: string) =>
    cell.format === undefined || text === '' ? text : style(cell.format, text);
  const before = widths.slice(0, -1);
  const indent = before.reduce((sum, width) => sum + width + gap.length, 0);
  const last = row.at(-1) ?? { text: '' };
  const room =
    columns === undefined || isWhole ? Number.POSITIVE_INFINITY : Math.max(minLastWidth, columns - indent);
  const lines = layOut(last.text, room).map((line) => paint(last, line));
  const cells = before.map((width, index) => {
    const cell = row[index] ?? { text: '' };
    return paint(cell, cell.text) + ' '.repeat(width - displayWidth(cell.text)) + gap;
  });
  return lines
    .map((line, index) => (index === 0 ? cells.join('') + line : ' '.repeat(indent) + line).trimEnd())
    .join('\n');
}

function layOut(text: string, room: number): readonly string[] {
  if (room === Number.POSITIVE_INFINITY) return [text];
  // The slice avoids breaking text that is not shown.
  const lines = wrap(text.slice(0, room * maxLines * 8), room);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), '… (--json has all of it)'];
}

/** Renders names and values, one pair a line. */
export function renderFields(fields: readonly (readonly [string, string])[], { style }: Page): string {
  const width = Math.max(...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, value]) => `${style('dim', pad(name, width))}${gap}${value}`).join('\n');
}
