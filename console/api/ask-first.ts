import type { QueryClient } from '@tanstack/react-query';
import type { Insights } from '../../client/types.ts';
import { chosenDays, isOverviewRange, type OverviewRange, type Times } from '../rules/time-range.ts';
import { overviewQuery, sessionQuery } from './queries.ts';

/** The figures of the overview, and their time. */
interface FirstAnswer {
  readonly insights: Insights;
  readonly times: Times<OverviewRange>;
}

/**
 * Asks who uses the console, and then for the figures of the overview if the address is that of it. The page finds the answers in the client.
 *
 * @returns undefined at another address, without a session, and if the server does not answer with figures
 */
export async function askFirst(client: QueryClient): Promise<FirstAnswer | undefined> {
  const { pathname, search } = window.location;
  await client.prefetchQuery(sessionQuery);
  if (pathname !== '/' || client.getQueryData(sessionQuery.queryKey) === undefined) return undefined;
  const address = Object.fromEntries(new URLSearchParams(search));
  const times = {
    range: isOverviewRange(address.range) ? address.range : '24h',
    ...chosenDays(address),
  } as const;
  const query = overviewQuery(times, Date.now());
  await client.prefetchQuery(query);
  const insights = client.getQueryData(query.queryKey);
  return insights && { insights, times };
}
