import { type CsvOptions, chosenFields, type JsonOptions } from '../input/json-option.ts';
import type { Context } from '../target/context.ts';
import { toJson } from '../text/sanitize.ts';
import { type CsvRecord, openCsv } from './entry-format.ts';
import { type View, viewOf } from './print.ts';

/** A list that has no pages: it is read as a whole. */
export interface WholeList<T> {
  readonly entries: readonly T[];
  /** What --json writes about the whole list, before `entries`. */
  readonly about?: object;
  readonly csvColumns: readonly string[];
  csv(entry: T): CsvRecord;
  /** Returns text without a line break at its end. */
  text(view: View): string;
}

/** Writes a whole list to stdout as text, JSON or CSV. The lists with pages are written by show-list.ts. */
export function printEntries<T>(
  { terminal }: Context,
  { json, csv, reveal = false }: JsonOptions & CsvOptions & { readonly reveal?: boolean },
  { entries, about, csvColumns, ...list }: WholeList<T>,
): void {
  if (csv === true) terminal.out(openCsv(csvColumns)(entries.map(list.csv)));
  else if (json !== undefined)
    terminal.out(`${toJson({ ...about, entries: entries.map((entry) => chosenFields(entry, json)) })}\n`);
  else terminal.out(`${list.text(viewOf(terminal, reveal))}\n`);
}
