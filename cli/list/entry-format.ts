import type { View } from '../print.ts';
import type { Cell, Column } from '../text/table.ts';

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
  readonly cursorsTellNumbers?: boolean;
  /** Titles of the table. */
  columns(zone: string): readonly Column[];
  row(entry: T, view: ListView): readonly Cell[];
  /** Names of the fields, in order. */
  readonly csvColumns: readonly string[];
  csv(entry: T): CsvRecord;
}
