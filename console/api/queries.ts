import { infiniteQueryOptions, type QueryClient, type QueryState, queryOptions } from '@tanstack/react-query';
import type {
  Health,
  Insights,
  Message,
  Quarantined,
  QuarantineEntry,
  Replayed,
  SearchResults,
  Send,
} from '../../client/types.ts';
import { refreshDelay } from '../rules/refresh-delay.ts';
import {
  type InsightsSpan,
  insightsSpan,
  isSameRange,
  type OverviewRange,
  quarantineRange,
  sinceOf,
  type Times,
} from '../rules/time-range.ts';
import type { Session } from './console-types.ts';
import { get, mayPass, post, queryText, segment } from './request.ts';

/** How often an open view asks for news, in milliseconds. */
export const refreshMs = { open: 5000, settled: 30_000, list: 10_000 } as const;

interface Repeated {
  readonly state: QueryState<unknown, Error>;
}

/** Repeats a request at an interval; less and less often while it fails. */
export const every =
  (usualMs: number) =>
  ({ state }: Repeated) =>
    refreshDelay(usualMs, state);

/** Repeats a request that has no answer yet, if its failure may pass. */
const untilAnswered = ({ state }: Repeated) =>
  state.data === undefined && state.error !== null && mayPass(state.error) && refreshDelay(0, state);

/** How many entries a page of a list has; the maximum of the query API. */
const pageSize = '100';

export interface Page<T> {
  readonly entries: readonly T[];
  readonly next: string | null;
  /** There if the page ends because many entries did not match: it has every match as far as this time, in the order of the list. */
  readonly searchedTo?: string;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('/session', signal),
  // It was asked before there was a page.
  retryOnMount: false,
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: untilAnswered,
});

/** How far a local run has filled its tables; null while it does not. */
export const fillQuery = queryOptions({
  queryKey: ['fill'],
  queryFn: async ({ signal }) => (await get<Session>('/session', signal)).fill ?? null,
  refetchInterval: every(2000),
  meta: { isOfFrame: true },
});

export const messageQuery = (messageId: string) =>
  queryOptions({
    queryKey: ['message', messageId],
    queryFn: ({ signal }) => get<Message>(`/v1/messages/${segment(messageId)}`, signal),
    refetchInterval: ({ state }) =>
      refreshDelay(state.data?.final === false ? refreshMs.open : refreshMs.settled, state),
  });

export const sendQuery = (sendId: string) =>
  queryOptions({
    queryKey: ['send', sendId],
    queryFn: ({ signal }) => get<Send>(`/v1/sends/${segment(sendId)}`, signal),
    refetchInterval: ({ state }) =>
      refreshDelay(state.data?.pending === 0 ? refreshMs.settled : refreshMs.open, state),
  });

interface InsightsFilters extends Readonly<Record<string, string | undefined>> {
  readonly interval: 'hour' | 'day';
  readonly by: string;
  /** ISO 8601. */
  readonly since: string;
  readonly until?: string;
}

export const insightsQuery = (filters: InsightsFilters) =>
  queryOptions({
    queryKey: ['insights', filters] as const,
    queryFn: ({ signal }) => get<Insights>(`/v1/insights${queryText(filters)}`, signal),
    // The hours of the newest figures are still counted; older ones change rarely.
    refetchInterval: every(filters.until === undefined ? refreshMs.list : refreshMs.settled),
    // Another hour has another address. Its figures replace those on the page when they are there.
    // Figures of another range would stand under the wrong name.
    placeholderData: (figures: Insights | undefined, query) =>
      query !== undefined && isSameRange(query.queryKey[1], filters) ? figures : undefined,
  });

/** The figures of the overview. @param now milliseconds since the epoch */
export const overviewQuery = (times: Times<OverviewRange>, now: number) =>
  insightsQuery({ ...insightsSpan(times, now), by: 'country,reason,status' });

/** The countries to choose from. They say nothing about the age of a page, and are read once. */
export const countriesQuery = (span: InsightsSpan) =>
  queryOptions({
    ...insightsQuery({ ...span, by: 'country' }),
    meta: { isOfFrame: true },
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: untilAnswered,
  });

export const quarantineEntryQuery = (entryId: string) =>
  queryOptions({
    queryKey: ['quarantine-entry', entryId],
    queryFn: ({ signal }) => get<QuarantineEntry>(`/v1/quarantine/${segment(entryId)}`, signal),
    staleTime: 60_000,
    refetchInterval: untilAnswered,
  });

/** A list of the query API: its path and its filters. */
export interface ListSource {
  readonly path: string;
  readonly filters: Readonly<Record<string, string | undefined>>;
}

export const listUrl = ({ path, filters }: ListSource, cursor?: string): string =>
  path + queryText({ ...filters, limit: pageSize, cursor });

/** The pages of a list, by its cursor. */
export const listQuery = <P extends Page<unknown>>(source: ListSource) =>
  infiniteQueryOptions({
    queryKey: ['list', source.path, source.filters],
    queryFn: ({ signal, pageParam }) => get<P>(listUrl(source, pageParam), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: P) => page.next ?? undefined,
    // Every page that is loaded would be read again. Lists look at their first page only, with an ETag.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: 60_000,
    refetchInterval: untilAnswered,
  });

export const conversationSource = (of: string): ListSource => ({
  path: `/v1/conversations/${segment(of)}`,
  filters: {},
});

/** Finds a number, a message or a send by exactly this text. The text travels in the body: a URL has no number. */
export const search = (text: string): Promise<SearchResults> => post('/v1/search', { q: text.trim() });

/** @param acceptDuplicates whether to replay an entry whose events may be stored already, under other ids */
export const replay = (entryId: string, acceptDuplicates: boolean): Promise<Replayed> =>
  post(`/v1/quarantine/${segment(entryId)}/replay`, acceptDuplicates ? { acceptDuplicates } : {});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => get<Health>('/v1/health', signal),
  refetchInterval: every(refreshMs.settled),
});

/** `sms console` asks the SMS service for the health of the webhook, so the frame, which is on every page, asks seldom. */
const frameMs = 300_000;

// An answer of another form fails in `select`, and the frame goes on without it.

/** The worst state of the checks, read every five minutes; undefined if all is well. */
export const healthOfFrame = queryOptions({
  ...healthQuery,
  meta: { isOfFrame: true },
  staleTime: frameMs,
  // A denial stays one.
  refetchInterval: ({ state }) =>
    (state.error === null || mayPass(state.error)) && refreshDelay(frameMs, state),
  select: ({ checks }: Health) =>
    (['failed', 'warn'] as const).find((bad) => checks.some(({ state }) => state === bad)),
});

/** Where a replayed entry is kept if it cannot be read again: with the time of the first receipt, and with a request id of its own. Null without one. */
export const returnedQuery = ({ receivedAt, requestId, index }: Quarantined) =>
  queryOptions({
    queryKey: ['returned', receivedAt, requestId, index],
    queryFn: async ({ signal }) => {
      const until = new Date(Date.parse(receivedAt) + 1).toISOString();
      const url = listUrl({ path: '/v1/quarantine', filters: { since: receivedAt, until } });
      const { entries } = await get<Page<Quarantined>>(url, signal);
      return entries.find((one) => one.requestId === `${requestId}~${index ?? 'body'}`) ?? null;
    },
    refetchInterval: every(3000),
  });

/** The first page of the quarantine, as the page of it shows at first. */
export const quarantineOfFrame = queryOptions({
  queryKey: ['quarantine-of-frame'],
  queryFn: ({ signal }) => {
    const since = sinceOf(quarantineRange, Date.now());
    return get<Page<unknown>>(listUrl({ path: '/v1/quarantine', filters: { since } }), signal);
  },
  meta: { isOfFrame: true },
  staleTime: frameMs,
  refetchInterval: ({ state }) =>
    (state.error === null || mayPass(state.error)) && refreshDelay(frameMs, state),
});

/** The same, counted. */
export const quarantineCount = queryOptions({
  ...quarantineOfFrame,
  select: ({ entries, next }: Page<unknown>) => ({ entries: entries.length, hasMore: next !== null }),
});

/** Reads the quarantine again, after a replay: its lists, and its count in the navigation. */
export function refreshQuarantine(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['list', '/v1/quarantine'] });
  void client.invalidateQueries({ queryKey: ['quarantine-of-frame'] });
}
