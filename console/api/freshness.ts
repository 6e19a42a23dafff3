import { notifyManager, type Query, type QueryCache, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/**
 * Returns when the data of the page was read, in milliseconds since the epoch, and why its newest refresh failed. The oldest of its queries
 * counts. The time is 0 without any data.
 */
export function useFreshness() {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    // Queries change while pages render.
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  return {
    updatedAt: useSyncExternalStore(subscribe, () => freshnessOf(cache).updatedAt),
    error: useSyncExternalStore(subscribe, () => freshnessOf(cache).error),
  };
}

function freshnessOf(cache: QueryCache): { readonly updatedAt: number; readonly error: Error | null } {
  const queries = Map.groupBy(cache.findAll({ type: 'active' }).filter(isOfPage), nameOf);
  const states = [...queries.values()].map((same) => {
    const newest = same.toSorted((one, other) => attemptedAt(other) - attemptedAt(one))[0];
    return {
      updatedAt: Math.max(...same.map(({ state }) => state.dataUpdatedAt)),
      error: newest?.state.error ?? null,
    };
  });
  // A part without data shows its own failure.
  const answered = states.filter((state) => state.updatedAt > 0);
  if (answered.length === 0) return { updatedAt: 0, error: null };
  return {
    updatedAt: Math.min(...answered.map((state) => state.updatedAt)),
    error: answered.find(({ error }) => error !== null)?.error ?? null,
  };
}

/** The session and the counts of the navigation say nothing about the age of a page. */
function isOfPage({ queryKey: [kind], observers }: Query): boolean {
  return kind !== 'session' && observers.some(({ options }) => options.meta?.isOfFrame !== true);
}

/** A list and the looks at its first page are one. */
function nameOf({ queryKey: [kind, ...rest], queryHash }: Query): string {
  return kind === 'list' || kind === 'head' ? JSON.stringify(rest) : queryHash;
}

function attemptedAt({ state }: Query): number {
  return Math.max(state.dataUpdatedAt, state.errorUpdatedAt);
}
