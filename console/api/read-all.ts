import { type ListSource, listUrl, type Page } from './queries.ts';
import { get } from './request.ts';

interface ReadAllOptions<T> {
  /** Which entries are read, where the query API has no such filter. */
  readonly keep?: ((entry: T) => boolean) | undefined;
  readonly max: number;
  readonly onProgress?: (count: number) => void;
}

export interface ReadEntries<T> {
  readonly entries: readonly T[];
  /** Whether the list has more. */
  readonly isPartial: boolean;
}

/** A filter in the browser may keep few entries of a long list. */
const maxPages = 300;

/** Reads a list from its beginning, page by page, and looks at a limited number of pages. @throws RequestError */
export async function readAll<T>(
  source: ListSource,
  { keep = () => true, max, onProgress = () => {} }: ReadAllOptions<T>,
): Promise<ReadEntries<T>> {
  const entries: T[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await get<Page<T>>(listUrl(source, cursor));
    entries.push(...page.entries.filter(keep));
    onProgress(entries.length);
    cursor = page.next ?? undefined;
    pages += 1;
  } while (cursor !== undefined && entries.length < max && pages < maxPages);
  return { entries: entries.slice(0, max), isPartial: cursor !== undefined || entries.length > max };
}
