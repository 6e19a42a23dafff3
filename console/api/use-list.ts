import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { every, type ListSource, listQuery, listUrl, type Page, refreshMs } from './queries.ts';
import { get } from './request.ts';

/** Below this many pixels the viewer looks at the top of a list, which may then be replaced. */
const topPixels = 120;

/**
 * Reads a list page by page, and looks at its first page again and again. News replace the list while the viewer looks at its top.
 * Otherwise `hasNews` is true until `showNews` is called. Known entries that changed are replaced in their place, also while new ones wait.
 *
 * @param keyOf names an entry. Without it changed entries count as news.
 */
export function useList<P extends Page<unknown>>(
  source: ListSource,
  keyOf?: (entry: P['entries'][number]) => string,
) {
  const client = useQueryClient();
  const options = listQuery<P>(source);
  const list = useInfiniteQuery(options);
  const head = useQuery({
    queryKey: ['head', source.path, source.filters],
    queryFn: ({ signal }) => get<P>(listUrl(source), signal),
    refetchInterval: every(refreshMs.list),
    enabled: list.isSuccess,
  });
  const pages = list.data?.pages;
  const first = pages?.[0];
  const isNewer = head.dataUpdatedAt > list.dataUpdatedAt;
  const isChanged = useMemo(
    () => isNewer && head.data !== undefined && first !== undefined && !isSame(head.data, first),
    [head.data, first, isNewer],
  );
  const hasNews = isChanged && (keyOf === undefined || keysOf(head.data, keyOf) !== keysOf(first, keyOf));
  useEffect(() => {
    const newest = head.data;
    if (!isChanged || keyOf === undefined || newest === undefined || pages === undefined) return;
    const merged = withChanges(pages, newest, keyOf);
    if (merged === undefined) return;
    client.setQueryData(
      options.queryKey,
      (before) => before && { ...before, pages: hasNews ? merged : [newest, ...merged.slice(1)] },
      // The list keeps its time while news wait: they wait for as long as the newest look at its first page is later than that time.
      hasNews ? { updatedAt: list.dataUpdatedAt } : undefined,
    );
  }, [isChanged, hasNews, head.data, pages, keyOf, list.dataUpdatedAt, client, options.queryKey]);
  const showNews = () => {
    if (head.data === undefined) return;
    client.setQueryData(options.queryKey, { pages: [head.data], pageParams: [undefined] });
  };
  const replaces = hasNews && pages?.length === 1;
  useEffect(() => {
    if (replaces && window.scrollY < topPixels && head.data !== undefined)
      client.setQueryData(options.queryKey, { pages: [head.data], pageParams: [undefined] });
  }, [replaces, head.data, client, options.queryKey]);

  const last = pages?.at(-1);
  return {
    list,
    pages,
    first,
    hasNews,
    showNews,
    /** A page without entries may have a successor: the viewer decides whether to look further back. */
    mayLoadMore: list.hasNextPage && !list.isFetchingNextPage && (last?.entries.length ?? 0) > 0,
  };
}

/** Returns pages with the newest content of the entries that they have; undefined if none of these changed. */
function withChanges<P extends Page<unknown>>(
  pages: readonly P[],
  newest: P,
  keyOf: (entry: P['entries'][number]) => string,
): P[] | undefined {
  const byKey = new Map(newest.entries.map((entry) => [keyOf(entry), entry]));
  let isChanged = false;
  const merged = pages.map((page) => ({
    ...page,
    entries: page.entries.map((entry) => {
      const fresh = byKey.get(keyOf(entry));
      if (fresh === undefined || isSame(fresh, entry)) return entry;
      isChanged = true;
      return fresh;
    }),
  }));
  return isChanged ? merged : undefined;
}

function keysOf<P extends Page<unknown>>(
  page: P | undefined,
  keyOf: (entry: P['entries'][number]) => string,
): string {
  return JSON.stringify(page?.entries.map(keyOf));
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
