import { styleText } from 'node:util';
import type { Outcome } from '../../contract/schema/sms-event.ts';
import { clip, displayWidth, pad, wrap } from './display-width.ts';

export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Marks a text, or leaves it as it is where there is no colour. */
export type Style = (format: Format, text: string) => string;

export function createStyle(colour: boolean): Style {
  return colour
    ? (format, text) => styleText(format, text, { validateStream: false })
    : (_format, text) => text;
}

/** The colour of a status by what it says of the message. */
export const outcomeFormat: Readonly<Record<Outcome, Format>> = {
  open: 'cyan',
  unknown: 'yellow',
  failure: 'red',
  success: 'green',
};

/** A cell's text, sanitized, and how it is marked. */
export interface Cell {
  readonly text: string;
  readonly format?: Format;
}

export interface Column {
  readonly title: string;
  /** The widest the column gets where the page has a width; what is longer is clipped. */
  readonly maximum?: number;
  /** Of the last column: its texts stay on one line, also where that is longer than the page, so that they can be copied. */
  readonly whole?: true;
}

/** What a text is laid out for. */
export interface Page {
  readonly style: Style;
  /** Columns of the terminal; undefined where there is none, and nothing is clipped or wrapped. */
  readonly columns: number | undefined;
}

const gap = '  ';

/** The last column gets at least this much, also where the line then is longer than the terminal. */
const minLastWidth = 16;

/** Lines of a cell in the last column that are shown. */
const maxLines = 12;

/** Lays rows out in columns; the last column takes what room is left, on several lines where it needs them. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  page: Page,
): string {
  return openTable(columns, page)(rows);
}

/** Lays out a table that is written in parts: the first one has the header; columns grow with what comes. */
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
  // More than the lines below can show is not worth breaking into lines.
  const lines = wrap(text.slice(0, room * maxLines * 8), room);
  return lines.length <= maxLines ? lines : [...lines.slice(0, maxLines - 1), '… (--json has all of it)'];
}

/** Names and what belongs to them, one a line: the head of a page. */
export function renderFields(fields: readonly (readonly [string, string])[], { style }: Page): string {
  const width = Math.max(...fields.map(([name]) => displayWidth(name)));
  return fields.map(([name, value]) => `${style('dim', pad(name, width))}${gap}${value}`).join('\n');
}
