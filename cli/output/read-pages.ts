import { maxPageSize, type Page, type PageRequest } from '../../functions/lists/time-range.ts';
import { type Clock, defined } from '../../functions/runtime/basics.ts';
import type { Terminal } from '../target/context.ts';
import { formatCount, formatTime } from '../text/format.ts';
import type { EntryFormat } from './entry-format.ts';

/** How much of a list to read. */
export interface PageExtent {
  /** The maximum number of entries; infinity for all. */
  readonly limit: number;
  /** The cursor of an earlier page. */
  readonly cursor?: string;
}

/** Reads a list page by page, up to the limit or its end. */
export async function* readPages<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  { limit, cursor }: PageExtent,
): AsyncGenerator<Page<T>, void> {
  let next = cursor;
  let left = limit;
  do {
    const page = await read({
      limit: Math.min(maxPageSize, left),
      ...(next === undefined ? {} : { cursor: next }),
    });
    yield page;
    left -= page.entries.length;
    next = page.next;
  } while (next !== undefined && left > 0);
}

/** Passes pages on until stdout is closed. */
export async function* untilClosed<T>(
  pages: AsyncIterable<Page<T>>,
  { closed }: Pick<Terminal, 'closed'>,
): AsyncGenerator<Page<T>, void> {
  for await (const page of pages) {
    yield page;
    if (closed()) return;
  }
}

/** Joins pages into one. */
export async function joinPages<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>> {
  const entries: T[] = [];
  let next: string | undefined;
  for await (const page of pages) {
    entries.push(...page.entries);
    next = page.next;
  }
  return defined({ entries, next });
}

/** The minimum pause between two progress lines. */
const progressMs = 2_000;

/** Passes pages on and shows the progress on a terminal, because reading many days is slow. */
export async function* reportProgress<T>(
  pages: AsyncIterable<Page<T>>,
  { at }: Pick<EntryFormat<T>, 'at'>,
  { terminal, clock }: { readonly terminal: Terminal; readonly clock: Clock },
): AsyncGenerator<Page<T>, void> {
  let reportedAt = clock();
  let count = 0;
  let oldest: T | undefined;
  for await (const page of pages) {
    count += page.entries.length;
    oldest = page.entries.at(-1) ?? oldest;
    const now = clock();
    if (terminal.isWatched && page.next !== undefined && now - reportedAt >= progressMs) {
      reportedAt = now;
      const reached =
        oldest === undefined ? '' : `, back to ${formatTime(at(oldest), terminal.zone).slice(0, 10)}`;
      terminal.err(`Still reading: ${formatCount(count, 'entry', 'entries')} so far${reached}.\n`);
    }
    yield page;
  }
}
