import { type CsvValue, csvRow } from '../../contract/text/csv.ts';
import type { Connection } from '../target/connection.ts';
import { sanitizeLines, toJson } from '../text/sanitize.ts';
import type { Cell, Column } from '../text/table.ts';
import type { View } from './print.ts';

/** The view of a list. */
export interface ListView extends View {
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type CsvRecord = Readonly<Record<string, CsvValue>>;

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
  /** Further columns of a pipeline with several sources; `source` if left out. */
  readonly csvColumnsOfSources?: readonly string[];
  csv(entry: T): CsvRecord;
}

/** Returns the columns of CSV. */
export async function csvColumns(
  connection: Pick<Connection, 'sources'>,
  {
    csvColumns,
    csvColumnsOfSources = ['source'],
  }: Pick<EntryFormat<never>, 'csvColumns' | 'csvColumnsOfSources'>,
): Promise<readonly string[]> {
  const isOfSeveral = !csvColumns.includes('source') && (await connection.sources()).length > 1;
  return isOfSeveral ? [...csvColumns, ...csvColumnsOfSources] : csvColumns;
}

/** Writes CSV (RFC 4180) in parts; the first has the header. Control characters are left out; JSON keeps them. */
export function openCsv(columns: readonly string[]): (records: readonly CsvRecord[]) => string {
  let header = csvRow(columns);
  return (records) => {
    const rows = records.map((record) => csvRow(columns.map((column) => safeValue(record[column]))));
    const text = `${header}${rows.join('')}`;
    header = '';
    return text;
  };
}

const safeValue = (value: CsvValue) => (typeof value === 'string' ? sanitizeLines(value) : value);

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
