import { largestPage, type Page, type PageRequest } from '../../functions/core/history/listing.ts';
import type { Terminal } from '../context.ts';

/** How much of a list is wanted. */
export interface Extent {
  /** How many entries at most; infinity for all of them. */
  readonly limit: number;
  /** Where an earlier page ended. */
  readonly cursor?: string;
}

/** Reads a list page by page, until there is enough of it or no more. */
export async function* readPages<T>(
  read: (page: PageRequest) => Promise<Page<T>>,
  { limit, cursor }: Extent,
): AsyncGenerator<Page<T>, void> {
  let next = cursor;
  let left = limit;
  do {
    const page = await read({
      limit: Math.min(largestPage, left),
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
