import { CursorError } from '../../functions/core/history/cursor.ts';
import type { Page, PageRequest, TimeRange } from '../../functions/core/history/listing.ts';
import { viewPage } from '../../functions/core/history/view.ts';
import type { Context } from '../context.ts';
import { UsageError } from '../failures.ts';
import { viewOf } from '../print.ts';
import { toJson, toJsonLine } from '../text/sanitize.ts';
import { openTable } from '../text/table.ts';
import { openCsv } from './csv.ts';
import type { EntryFormat, ListView } from './entry-format.ts';
import { followList } from './follow.ts';
import { type ListOptions, readRange } from './list-options.ts';
import { joinPages, readPages } from './read-pages.ts';
import { goOn, renderList } from './render-list.ts';

/** A list that a command shows. */
export interface ShownList<T, R extends TimeRange> {
  /** Fills in what is missing of the range that was asked for. @throws UsageError for one that holds no time */
  range(asked: TimeRange): R;
  /** Connects, once the command is known to be right; gives what reads a page, newest first, or throws CursorError. */
  open(): Promise<(range: R, page: PageRequest) => Promise<Page<T>>>;
  readonly format: EntryFormat<T>;
  /** What it is a list of, for people: `messages that ended badly`. */
  title(view: ListView): string;
  /** That there is nothing in it, where "no" and its title do not say so. */
  nothing?(view: ListView): string;
  /** A line below the table, where that is the whole list. */
  summary?(entries: readonly T[]): string;
}

/** Reads a list and writes it to stdout as the options say: a table, JSON or CSV; once, or as it grows. */
export async function showList<T, R extends TimeRange>(
  context: Context,
  options: ListOptions,
  list: ShownList<T, R>,
): Promise<void> {
  const asked = await readRange(options, context);
  const range = list.range(asked);
  const read = await list.open();
  try {
    await (options.follow === true ? follow() : print());
  } catch (error) {
    throw error instanceof CursorError ? new UsageError(`--cursor: ${error.message}.`) : error;
  }

  async function print(): Promise<void> {
    const { terminal } = context;
    const { limit, all, cursor, json, csv } = options;
    const extent = {
      limit: all === true ? Number.POSITIVE_INFINITY : limit,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const pages = readPages((page) => read(range, page), extent);
    if (csv === true) {
      const write = await openCsv(list.format.csvColumns);
      let next: string | undefined;
      for await (const page of pages) {
        terminal.out(write(page.entries.map(list.format.csv)));
        next = page.next;
      }
      if (next !== undefined) terminal.err(`There is more: the same command with ${goOn(range, next)}\n`);
      return;
    }
    const page = await joinPages(pages);
    const isWhole = cursor === undefined && page.next === undefined;
    const text =
      json === true
        ? toJson(viewPage(page, list.format.json))
        : renderList({ list, asked, range, page, isWhole }, viewNow());
    terminal.out(`${text}\n`);
  }

  async function follow(): Promise<void> {
    const { terminal, clock } = context;
    const wait = context.beginWaiting();
    const write = await openParts();
    // Of no use to a script.
    if (terminal.columns !== undefined) terminal.err('Following; Ctrl-C ends it.\n');
    const parts = followList({
      read: (since) =>
        readPages((page) => read(list.range(since === undefined ? {} : { since }), page), {
          limit: Number.POSITIVE_INFINITY,
        }),
      format: list.format,
      since: range.since,
      limit: options.limit,
      clock,
      wait,
    });
    for await (const entries of parts) terminal.out(write(entries));
  }

  async function openParts(): Promise<(entries: readonly T[]) => string> {
    const { format } = list;
    if (options.csv === true) {
      const write = await openCsv(format.csvColumns);
      return (entries) => write(entries.map(format.csv));
    }
    if (options.json === true)
      return (entries) => entries.map((entry) => `${toJsonLine(format.json(entry))}\n`).join('');
    const write = openTable(format.columns(context.terminal.zone), viewNow());
    return (entries) => `${write(entries.map((entry) => format.row(entry, viewNow())))}\n`;
  }

  function viewNow(): ListView {
    return { ...viewOf(context.terminal, options.reveal === true), now: context.clock() };
  }
}
