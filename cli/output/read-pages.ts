import { omitUndefined } from '../../functions/base/basics.ts';
import { maxPageSize, type Page, type PageRequest } from '../../functions/history/shapes.ts';
import type { Context, Terminal } from '../target/context.ts';
import { formatTime } from '../text/format.ts';
import type { EntryFormat } from './entry-format.ts';
import { showProgress } from './progress.ts';

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
  return omitUndefined({ entries, next });
}

/** Passes pages on and shows the progress. */
export async function* reportProgress<T>(
  pages: AsyncIterable<Page<T>>,
  { at }: Pick<EntryFormat<T>, 'at'>,
  context: Pick<Context, 'terminal' | 'clock'>,
): AsyncGenerator<Page<T>, void> {
  const progress = showProgress(context, { doing: 'Reading', unit: ['entry', 'entries'] });
  const { zone } = context.terminal;
  let count = 0;
  let last: T | undefined;
  for await (const page of pages) {
    count += page.entries.length;
    last = page.entries.at(-1) ?? last;
    // The end of the list shows that nothing more is read.
    if (page.next !== undefined)
      progress(
        count,
        last === undefined ? undefined : `as far as ${formatTime(at(last), zone).slice(0, 10)}`,
      );
    yield page;
  }
}
