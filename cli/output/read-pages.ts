import { maxPageSize, type Page, type PageRequest } from '../../functions/lists/time-range.ts';
import type { Clock } from '../../functions/runtime/clock.ts';
import type { Terminal } from '../target/context.ts';
import { formatTime } from '../text/format.ts';
import type { EntryFormat } from './entry-format.ts';

/** How much of a list is wanted. */
export interface PageExtent {
  /** How many entries at most; infinity for all of them. */
  readonly limit: number;
  /** Where an earlier page ended. */
  readonly cursor?: string;
}

/** Reads a list page by page, until there is enough of it or no more. */
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

/** Passes pages on, and asks for no more of them once nobody takes what comes of them. */
export async function* untilClosed<T>(
  pages: AsyncIterable<Page<T>>,
  { closed }: Pick<Terminal, 'closed'>,
): AsyncGenerator<Page<T>, void> {
  for await (const page of pages) {
    yield page;
    if (closed()) return;
  }
}

/** The pages as one. */
export async function joinPages<T>(pages: AsyncIterable<Page<T>>): Promise<Page<T>> {
  const entries: T[] = [];
  let next: string | undefined;
  for await (const page of pages) {
    entries.push(...page.entries);
    next = page.next;
  }
  return { entries, ...(next === undefined ? {} : { next }) };
}

/** What a person is told at most once in so long. */
const everyMs = 2_000;

/** Passes pages on, and tells who watches how far the reading has got: a range of many days takes long. */
export async function* reportProgress<T>(
  pages: AsyncIterable<Page<T>>,
  { at }: Pick<EntryFormat<T>, 'at'>,
  { terminal, clock }: { readonly terminal: Terminal; readonly clock: Clock },
): AsyncGenerator<Page<T>, void> {
  let told = clock();
  let count = 0;
  let oldest: T | undefined;
  for await (const page of pages) {
    count += page.entries.length;
    oldest = page.entries.at(-1) ?? oldest;
    const now = clock();
    if (terminal.isWatched && page.next !== undefined && now - told >= everyMs) {
      told = now;
      const reached =
        oldest === undefined ? '' : `, back to ${formatTime(at(oldest), terminal.zone).slice(0, 10)}`;
      terminal.err(`Still reading: ${count} ${count === 1 ? 'entry' : 'entries'} so far${reached}.\n`);
    }
    yield page;
  }
}
