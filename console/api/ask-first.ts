import type { QueryClient } from '@tanstack/react-query';
import { chosenDays, isOverviewRange } from '../rules/time-range.ts';
import { overviewQuery, sessionQuery } from './queries.ts';

/** Asks who uses the console, and then for the figures of the overview if the address is that of it. The page finds the answers. */
export async function askFirst(client: QueryClient): Promise<void> {
  const { pathname, search } = window.location;
  await client.prefetchQuery(sessionQuery);
  if (pathname !== '/' || client.getQueryData(sessionQuery.queryKey) === undefined) return;
  const address = Object.fromEntries(new URLSearchParams(search));
  const range = isOverviewRange(address.range) ? address.range : '24h';
  await client.prefetchQuery(overviewQuery({ range, ...chosenDays(address) }, Date.now()));
}
