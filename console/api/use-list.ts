import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type ListSource, listQuery, listUrl, type Page, refreshMs } from './queries.ts';
import { get } from './request.ts';

/** Below this many pixels the viewer looks at the top of a list, which may then be replaced. */
const topPixels = 120;

/**
 * Reads a list page by page, and looks at its first page again and again. News replace the list while the viewer looks at its top.
 * Otherwise `hasNews` is true until `showNews` is called. Entries that only changed are replaced in their place.
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
    refetchInterval: refreshMs.list,
    enabled: list.isSuccess,
  });
  const pages = list.data?.pages;
  const first = pages?.[0];
  const isNewer = head.dataUpdatedAt > list.dataUpdatedAt;
  const isChanged = useMemo(
    () => isNewer && head.data !== undefined && first !== undefined && !isSame(head.data, first),
    [head.data, first, isNewer],
  );
  const isUpdate = isChanged && keyOf !== undefined && keysOf(head.data, keyOf) === keysOf(first, keyOf);
  const hasNews = isChanged && !isUpdate;
  useEffect(() => {
    const { data } = head;
    if (!isUpdate || data === undefined) return;
    client.setQueryData(
      options.queryKey,
      (before) => before && { ...before, pages: [data, ...before.pages.slice(1)] },
    );
  }, [isUpdate, head, client, options.queryKey]);
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
    /** Whether the newest look at the list failed, while older entries are shown. */
    isStale: head.isError,
    /** A page without entries may have a successor: the viewer decides whether to look further back. */
    mayLoadMore: list.hasNextPage && !list.isFetchingNextPage && (last?.entries.length ?? 0) > 0,
  };
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
