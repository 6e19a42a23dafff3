import { sanitizeLines, toJson } from '../text/sanitize.ts';
import type { Cell, Column } from '../text/table.ts';
import type { View } from './print.ts';

/** The view of a list. */
export interface ListView extends View {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type CsvRecord = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The formats of one kind of entry. */
export interface EntryFormat<T> {
  /** Returns an id that is unique within the list. */
  identify(entry: T): string;
  /** Returns the time that the list is ordered by; ISO 8601 in UTC with milliseconds. */
  at(entry: T): string;
  json(entry: T): unknown;
  /** Whether a cursor of the list contains a phone number. */
  readonly cursorsHoldNumbers?: boolean;
  columns(zone: string): readonly Column[];
  row(entry: T, view: ListView): readonly Cell[];
  readonly csvColumns: readonly string[];
  csv(entry: T): CsvRecord;
}

/** Such a text is a number, not a formula, and must remain one that can be dialled. */
const e164 = /^\+[1-9]\d{1,14}$/;

/**
 * Writes CSV (RFC 4180) in parts; the first has the header. A text that a spreadsheet would take for a formula gets an
 * apostrophe in front, except a number in E.164. Control characters are left out; JSON keeps them.
 */
export async function openCsv(
  columns: readonly string[],
): Promise<(records: readonly CsvRecord[]) => string> {
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

/** Writes a JSON document in parts: `{"entries": [...], "next": <cursor or null>}`. */
export interface JsonPage {
  /** Begins or continues the document. */
  entries(entries: readonly unknown[]): string;
  /** Ends the document, after at least one call of `entries`. */
  end(next: string | undefined): string;
}

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
