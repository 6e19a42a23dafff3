import { sanitizeLines, toJson } from '../text/sanitize.ts';
import type { Cell, Column } from '../text/table.ts';
import type { View } from './print.ts';

/** What rendering an entry of a list for people depends on. */
export interface ListView extends View {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type CsvRecord = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** How one kind of entry is shown. */
export interface EntryFormat<T> {
  /** What tells an entry from every other of its list. */
  identify(entry: T): string;
  /** The time that the list is ordered by; ISO 8601 in UTC with milliseconds. */
  at(entry: T): string;
  json(entry: T): unknown;
  /** Whether a number can be read from a cursor of the list. */
  readonly cursorsHoldNumbers?: boolean;
  /** Titles of the table. */
  columns(zone: string): readonly Column[];
  row(entry: T, view: ListView): readonly Cell[];
  /** Names of the fields, in order. */
  readonly csvColumns: readonly string[];
  csv(entry: T): CsvRecord;
}

/** Such a text is a number and no formula, and has to stay one that can be dialled. */
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * Writes CSV (RFC 4180) in parts: the first one has the header.
 *
 * A text that a spreadsheet would take for a formula gets an apostrophe in front, except a number in E.164. What steers a
 * terminal is left out; JSON has it.
 */
export async function openCsv(
  columns: readonly string[],
): Promise<(records: readonly CsvRecord[]) => string> {
  // Loaded where it is needed.
  const { stringify } = await import('csv-stringify/sync');
  let header = true;
  return (records) => {
    const text = stringify([...records], {
      columns,
      header,
      record_delimiter: 'windows',
      quote_record_delimiter: true,
      escape_formulas: true,
      cast: { boolean: String, string: castText },
    });
    header = false;
    return text;
  };
}

function castText(text: string) {
  const value = sanitizeLines(text);
  return e164.test(value) ? { value, ...{ escape_formulas: false } } : value;
}

/** A page of a list as one JSON document that is written in parts: `{"entries": [...], "next": <cursor or null>}`. */
export interface JsonPage {
  /** Begins the document, or goes on with it. */
  entries(entries: readonly unknown[]): string;
  /** Ends the document; entries, be they none, came before. */
  end(next: string | undefined): string;
}

/** Writes what toJson gives of the whole page. */
export function openJson(): JsonPage {
  let isBegun = false;
  let isEmpty = true;
  return {
    entries(entries) {
      const begin = isBegun ? '' : '{\n  "entries": [';
      isBegun = true;
      const texts = entries.map((entry) => {
        const separator = isEmpty ? '\n' : ',\n';
        isEmpty = false;
        return `${separator}${indent(toJson(entry))}`;
      });
      return `${begin}${texts.join('')}`;
    },
    end: (next) => `${isEmpty ? '' : '\n  '}],\n  "next": ${toJson(next ?? null)}\n}\n`,
  };
}

function indent(lines: string): string {
  return lines
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
