import type { Page, TimeRange } from '../../functions/lists/time-range.ts';
import { renderTable } from '../text/table.ts';
import { formatTime } from '../text/time.ts';
import type { EntryFormat, ListView } from './entry-format.ts';

/** A part of a list, and what was asked for. */
export interface ListPart<T> {
  readonly list: {
    readonly format: EntryFormat<T>;
    title(view: ListView): string;
    nothing?(view: ListView): string;
    summary?(entries: readonly T[]): string;
  };
  /** The range as it was asked for, and with what was missing filled in. */
  readonly asked: TimeRange;
  readonly range: TimeRange;
  readonly page: Page<T>;
  /** Whether the page is the whole list. */
  readonly isWhole: boolean;
}

/** A part of a list for people: what it is, the table, and how to go on. */
export function renderList<T>({ list, asked, range, page, isWhole }: ListPart<T>, view: ListView): string {
  const { style, zone } = view;
  const { entries, next } = page;
  const title = list.title(view);
  const when = describeRange(asked, range, zone);
  const hint = isDefault(asked, range) ? ['--since and --until choose another time.'] : [];
  if (entries.length === 0) return [`${list.nothing?.(view) ?? `No ${title}`}${when}.`, ...hint].join(' ');
  const table = renderTable(
    list.format.columns(zone),
    entries.map((entry) => list.format.row(entry, view)),
    view,
  );
  const footer = [
    ...(list.summary === undefined || !isWhole ? [] : [`${list.summary(entries)}.`]),
    ...(next === undefined ? [] : [moreOf(list.format, view, range, next)]),
    ...hint,
  ];
  return [
    style('bold', `${capitalize(title)}${when}, newest first`),
    table,
    ...(footer.length === 0 ? [] : [footer.map((line) => style('dim', line)).join('\n')]),
  ].join('\n\n');
}

/**
 * How to go on where a page ended: with the times of the range, because the clock goes on as well. A cursor may tell what
 * tables mask.
 */
export function moreOf(
  { cursorsTellNumbers = false }: Pick<EntryFormat<never>, 'cursorsTellNumbers'>,
  { reveal }: Pick<ListView, 'reveal'>,
  { since }: TimeRange,
  next: string,
): string {
  if (cursorsTellNumbers && !reveal) return 'There is more: a larger --limit or --all shows it';
  const from = since === undefined ? '' : `--since ${since} `;
  return `There is more: the same command with ${from}--cursor ${next}`;
}

/** Whether the range is one that nobody asked for. */
function isDefault(asked: TimeRange, range: TimeRange): boolean {
  return asked.since === undefined && asked.until === undefined && range.since !== undefined;
}

function describeRange(asked: TimeRange, range: TimeRange, zone: string): string {
  if (isDefault(asked, range)) return ' in the last 24 hours';
  const since = range.since === undefined ? undefined : formatTime(range.since, zone);
  // An end that nobody asked for is no more than a limit to what is read.
  const until = asked.until === undefined ? undefined : formatTime(asked.until, zone);
  if (until === undefined) return since === undefined ? '' : ` since ${since}`;
  return since === undefined ? ` until ${until}` : ` from ${since} until ${until}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
