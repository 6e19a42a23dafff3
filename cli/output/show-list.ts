import { omitUndefined } from '../../functions/base/basics.ts';
import { CursorError } from '../../functions/history/index.ts';
import type { Page, PageRequest, SourceFilter, TimeRange } from '../../functions/history/shapes.ts';
import { chosenFields } from '../input/json-option.ts';
import { type ListOptions, readRange } from '../input/list-options.ts';
import { targetOf } from '../input/options.ts';
import type { Connection } from '../target/connection.ts';
import type { Context } from '../target/context.ts';
import { UsageError } from '../target/errors.ts';
import { tolerating } from '../target/polling.ts';
import { formatTime } from '../text/format.ts';
import { sanitize, toJsonLine } from '../text/sanitize.ts';
import { openTable, renderTable } from '../text/table.ts';
import { csvColumns, type EntryFormat, type ListView, openCsv, openJson } from './entry-format.ts';
import { followList } from './follow.ts';
import { viewOf } from './print.ts';
import { joinPages, readPages, reportProgress, untilClosed } from './read-pages.ts';

/** A list that a command shows. */
export interface ShownList<T, R extends TimeRange> {
  /** Completes the range of the options. @throws UsageError for an empty range */
  range(asked: TimeRange, now: number): R;
  /** Connects and returns a function that reads a page of a range and of the source that --source names, in the order of the list, or throws CursorError. */
  open(connection: Connection): Promise<(range: R & SourceFilter, page: PageRequest) => Promise<Page<T>>>;
  readonly format: EntryFormat<T>;
  /** Returns lines to show above the list; empty for none. */
  heading?(view: ListView): string;
  /** Names the entries: `messages that failed`. */
  title(view: ListView): string;
  /** The order of the list, where it is not newest first. */
  readonly order?: 'oldest first' | undefined;
  /** Replaces "No <title>" for an empty list. */
  nothing?(view: ListView): string;
  /** Returns a line to show below the whole list. */
  summary?(entries: readonly T[]): string;
}

/** Reads a list and writes it to stdout as a table, JSON or CSV; once, or as it grows. */
export async function showList<T, R extends TimeRange>(
  context: Context,
  options: ListOptions,
  list: ShownList<T, R>,
): Promise<void> {
  const { terminal, clock } = context;
  const { format } = list;
  const { json } = options;
  const asked = await readRange(options, context);
  const range = list.range(asked, clock());
  const isDefaultRange = asked.since === undefined && asked.until === undefined && range.since !== undefined;
  const connection = context.connect(targetOf(options));
  const readPage = await list.open(connection);
  const ofSource = omitUndefined({ source: options.source });
  const read = (part: R, page: PageRequest) => readPage({ ...part, ...ofSource }, page);
  try {
    await (options.follow === true ? follow() : print());
  } catch (error) {
    throw error instanceof CursorError ? new UsageError(`--cursor: ${error.message}.`) : error;
  }

  async function print(): Promise<void> {
    const { all, cursor } = options;
    const limit = all === true ? Number.POSITIVE_INFINITY : options.limit;
    const requested = readPages((page) => read(range, page), omitUndefined({ limit, cursor }));
    const pages = reportProgress(untilClosed(requested, terminal), format, context);
    if (options.csv === true) {
      const write = openCsv(await csvColumns(connection, format));
      const next = await writePages(pages, (entries) => write(entries.map(format.csv)));
      if (next !== undefined) terminal.err(`${continuation(next)}\n`);
    } else if (json !== undefined) {
      const document = openJson();
      const next = await writePages(pages, (entries) =>
        document.entries(entries.map((entry) => chosenFields(format.json(entry), json))),
      );
      terminal.out(document.end(next));
    } else terminal.out(`${heading()}${render(await joinPages(pages))}\n`);
  }

  /** Writes pages as they are read, and returns the cursor of the next one unless stdout is closed. */
  async function writePages(
    pages: AsyncIterable<Page<T>>,
    write: (entries: readonly T[]) => string,
  ): Promise<string | undefined> {
    let next: string | undefined;
    for await (const page of pages) {
      terminal.out(write(page.entries));
      next = page.next;
    }
    return terminal.closed() ? undefined : next;
  }

  async function follow(): Promise<void> {
    const wait = context.beginWaiting();
    const write = await openParts();
    // A script does not need this line.
    if (terminal.columns !== undefined) terminal.err('Following; Ctrl-C ends it.\n');
    const parts = followList({
      read: (since) =>
        readPages((page) => read(list.range(omitUndefined({ since }), clock()), page), {
          limit: Number.POSITIVE_INFINITY,
        }),
      format,
      since: range.since,
      limit: options.limit,
      clock,
      wait,
      tolerate: tolerating(terminal),
    });
    for await (const entries of parts) terminal.out(write(entries));
  }

  async function openParts(): Promise<(entries: readonly T[]) => string> {
    if (options.csv === true) {
      const write = openCsv(await csvColumns(connection, format));
      return (entries) => write(entries.map(format.csv));
    }
    if (json !== undefined)
      return (entries) =>
        entries.map((entry) => `${toJsonLine(chosenFields(format.json(entry), json))}\n`).join('');
    const write = openTable(format.columns(terminal.zone), viewNow());
    terminal.out(heading());
    return (entries) => `${write(entries.map((entry) => format.row(entry, viewNow())))}\n`;
  }

  function heading(): string {
    const text = list.heading?.(viewNow()) ?? '';
    return text === '' ? '' : `${text}\n\n`;
  }

  /** Renders a page for people: a title, the table, and how to continue. */
  function render({ entries, next }: Page<T>): string {
    const view = viewNow();
    const title = list.title(view);
    const hint = isDefaultRange ? ['--since and --until choose another time.'] : [];
    if (entries.length === 0)
      return [`${list.nothing?.(view) ?? `No ${title}`}${describeRange()}.`, ...hint].join(' ');
    const rows = entries.map((entry) => format.row(entry, view));
    const isWhole = options.cursor === undefined && next === undefined;
    const footer = [
      ...(list.summary === undefined || !isWhole ? [] : [`${list.summary(entries)}.`]),
      ...(next === undefined ? [] : [continuation(next)]),
      ...hint,
    ];
    return [
      view.style(
        'bold',
        `${title.charAt(0).toUpperCase()}${title.slice(1)}${describeRange()}, ${list.order ?? 'newest first'}`,
      ),
      renderTable(format.columns(view.zone), rows, view),
      ...(footer.length === 0 ? [] : [footer.map((line) => view.style('dim', line)).join('\n')]),
    ].join('\n\n');
  }

  /** Describes how to read the next page. It names the beginning of the range, because a relative time moves with the clock. */
  function continuation(next: string): string {
    if (format.cursorsHoldNumbers === true && options.reveal !== true)
      return 'There is more: a larger --limit or --all shows it';
    const since = range.since === undefined ? '' : `--since ${range.since} `;
    return `There is more: the same command with ${since}--cursor ${next}`;
  }

  /** Describes what the list is limited to: ` of the source backup in the last 24 hours`. */
  function describeRange(): string {
    return `${options.source === undefined ? '' : ` of the source ${sanitize(options.source)}`}${describeTime()}`;
  }

  function describeTime(): string {
    if (isDefaultRange) return ' in the last 24 hours';
    const since = range.since === undefined ? undefined : formatTime(range.since, terminal.zone);
    // An end that the options do not name only limits what is read.
    const until = asked.until === undefined ? undefined : formatTime(asked.until, terminal.zone);
    if (until === undefined) return since === undefined ? '' : ` since ${since}`;
    return since === undefined ? ` until ${until}` : ` from ${since} until ${until}`;
  }

  function viewNow(): ListView {
    return { ...viewOf(terminal, options.reveal === true), now: clock() };
  }
}
