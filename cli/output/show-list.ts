import { CursorError } from '../../functions/lists/cursor.ts';
import type { Page, PageRequest, TimeRange } from '../../functions/lists/time-range.ts';
import { type ListOptions, readRange } from '../input/list-options.ts';
import type { Context } from '../target/context.ts';
import { UsageError } from '../target/errors.ts';
import { tolerating } from '../target/polling.ts';
import { toJsonLine } from '../text/sanitize.ts';
import { openTable } from '../text/table.ts';
import { type EntryFormat, type ListView, openCsv, openJson } from './entry-format.ts';
import { followList } from './follow.ts';
import { viewOf } from './print.ts';
import { joinPages, readPages, reportProgress, untilClosed } from './read-pages.ts';
import { moreOf, renderList } from './render-list.ts';

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
    const { limit, all, cursor, json, csv, reveal } = options;
    const extent = {
      limit: all === true ? Number.POSITIVE_INFINITY : limit,
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { format } = list;
    const wanted = readPages((page) => read(range, page), extent);
    const pages = reportProgress(untilClosed(wanted, terminal), format, context);
    if (csv === true) {
      const write = await openCsv(format.csvColumns);
      const next = await writePages(pages, (entries) => write(entries.map(format.csv)));
      if (next !== undefined) terminal.err(`${moreOf(format, { reveal: reveal === true }, range, next)}\n`);
    } else if (json === true) {
      const document = openJson();
      const next = await writePages(pages, (entries) => document.entries(entries.map(format.json)));
      terminal.out(document.end(next));
    } else {
      const page = await joinPages(pages);
      const isWhole = cursor === undefined && page.next === undefined;
      terminal.out(`${renderList({ list, asked, range, page, isWhole }, viewNow())}\n`);
    }
  }

  /** Writes pages as they come; gives where the last one ended, if there is more and anybody to tell. */
  async function writePages(
    pages: AsyncIterable<Page<T>>,
    write: (entries: readonly T[]) => string,
  ): Promise<string | undefined> {
    let next: string | undefined;
    for await (const page of pages) {
      context.terminal.out(write(page.entries));
      next = page.next;
    }
    return context.terminal.closed() ? undefined : next;
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
      tolerate: tolerating(terminal),
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
