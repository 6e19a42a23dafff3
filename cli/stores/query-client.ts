import type * as z from 'zod';
import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';
import type { QuarantineReason } from '../../functions/quarantine/quarantine.ts';
import { problemSchema } from '../../functions/query/problem.ts';
import { pathOf, percentEncode, type RouteName } from '../../functions/query/routes.ts';
import {
  type MessageView,
  messageSchema,
  type OptOutView,
  optOutSchema,
  type PageView,
  pageSchema,
  type QuarantinedView,
  type QuarantineEntryView,
  quarantinedSchema,
  quarantineEntrySchema,
  type ReplyView,
  replySchema,
  type TimelineEntryView,
  timelineEntrySchema,
} from '../../functions/query/view-schemas.ts';
import { type Clock, defined } from '../../functions/runtime/basics.ts';
import { parseJson } from '../text/format.ts';
import { type Credentials, createSignRequest } from './sign-query.ts';

export interface QueryClientSettings {
  /** The stack's output QueryUrl. */
  readonly baseUrl: string;
  readonly region: string;
  /** Keys, or a credential provider of the AWS SDK. */
  readonly credentials: Credentials;
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
}

/** The parameters of every list. @public */
export interface ListQuery {
  /** The oldest time: ISO 8601 with a zone. */
  readonly since?: string;
  /** The end of the range, exclusive: ISO 8601 with a zone. */
  readonly until?: string;
  /** The maximum number of entries of a page: 1 to 100, by default 50. */
  readonly limit?: number;
  /** `next` of the previous page of the same query. */
  readonly cursor?: string;
}

/** @public */
export interface MessageQuery extends ListQuery {
  readonly status?: readonly CanonicalStatus[];
}

/** @public */
export interface QuarantineQuery extends ListQuery {
  readonly reason?: QuarantineReason;
}

type AnyQuery = MessageQuery & QuarantineQuery;

const dayMs = 86_400_000;

/** A list. A call returns a page; `all` iterates over the entries of all pages, newest first. @public */
export interface List<A extends readonly unknown[], T> {
  (...asked: A): Promise<PageView<T>>;
  all(...asked: A): AsyncGenerator<T, void>;
}

/**
 * Queries the delivery history over HTTP. Every call throws QueryError for an error response, and the error of `fetch` without
 * a response.
 */
export interface QueryClient {
  message(messageId: string): Promise<MessageView>;
  /** Messages that failed; without times, those of the last day. */
  readonly failed: List<[query?: MessageQuery], MessageView>;
  /** Messages without a final status. */
  readonly pending: List<[query?: MessageQuery], MessageView>;
  /** Messages to a number and replies from it. @param phone E.164, with its "+" */
  readonly timeline: List<[phone: string, query?: MessageQuery], TimelineEntryView>;
  /** The messages of a bulk send. */
  readonly send: List<[sendId: string, query?: MessageQuery], MessageView>;
  /** Replies; without times, those of the last day. */
  readonly replies: List<[query?: ListQuery], ReplyView>;
  /** Numbers that opted out. */
  readonly optOuts: List<[query?: ListQuery], OptOutView>;
  /** Quarantine entries; without times, those received in the last day. */
  readonly quarantine: List<[query?: QuarantineQuery], QuarantinedView>;
  quarantineEntry(entryId: string): Promise<QuarantineEntryView>;
}

/** Thrown for an error response; the message explains it. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  /** The API's problem details, or those derived from a response of API Gateway itself. */
  readonly problem: z.infer<typeof problemSchema>;

  constructor(problem: z.infer<typeof problemSchema>) {
    const { title, detail, errors = [] } = problem;
    const wrong = errors.map(({ parameter, detail }) => `; ${parameter}: ${detail}`).join('');
    super(`${title}: ${detail}${wrong}`);
    this.problem = problem;
  }
}

/**
 * @example
 * const client = createQueryClient({ baseUrl: QueryUrl, region: 'us-east-1', credentials: fromNodeProviderChain() });
 * const message = await client.message('msg-1');
 * const { entries, next } = await client.failed({ limit: 10 });
 * for await (const reply of client.replies.all({ since: '2026-01-15T00:00:00Z' })) console.log(reply.text);
 */
export function createQueryClient(settings: QueryClientSettings): QueryClient {
  const base = new URL(settings.baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const { fetch: send = fetch, clock = Date.now } = settings;
  const sign = createSignRequest(settings.region, settings.credentials, clock);

  async function ask<S extends z.ZodType>(
    name: RouteName,
    schema: S,
    parameters: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>>,
  ): Promise<z.output<S>> {
    // The base URL ends with the version that each path begins with.
    const path = basePath + pathOf(name, parameters).replace(/^\/v1/, '');
    const headers = await sign({ method: 'GET', host: base.host, path, query });
    const encoded = Object.entries(query).map((pair) => pair.map(percentEncode).join('='));
    const search = encoded.length === 0 ? '' : `?${encoded.join('&')}`;
    const response = await send(`${base.origin}${path}${search}`, { headers });
    if (!response.ok) throw await errorOf(response);
    const answer = schema.safeParse(parseJson(await response.text()));
    if (answer.success) return answer.data;
    throw new QueryError({
      type: 'about:blank',
      title: 'The response has an unknown format',
      status: response.status,
      detail: 'This version of the client cannot read it: is baseUrl the output QueryUrl?',
    });
  }

  function list<T>(
    name: RouteName,
    entry: z.ZodType<T>,
    fixed: Readonly<Record<string, string>> = {},
    settle: (query: AnyQuery) => AnyQuery = (query) => query,
  ) {
    const schema = pageSchema(entry);
    return listOf<[query?: AnyQuery], T>(
      (cursor, query = {}) => ask(name, schema, {}, { ...fixed, ...textOf(query, cursor) }),
      (query: AnyQuery = {}): [query?: AnyQuery] => [settle(query)],
    );
  }

  /** Fixes the last day at the first page: at a later page it would begin later and lose its oldest entries. */
  function lastDay(query: AnyQuery): AnyQuery {
    const end = query.until === undefined ? clock() : Date.parse(query.until);
    if (query.since !== undefined || Number.isNaN(end)) return query;
    return { ...query, since: new Date(end - dayMs).toISOString() };
  }

  function listUnder<T>(name: RouteName, parameter: string, entry: z.ZodType<T>) {
    const schema = pageSchema(entry);
    return listOf((cursor, id: string, query: MessageQuery = {}) =>
      ask(name, schema, { [parameter]: id }, textOf(query, cursor)),
    );
  }

  return {
    message: (messageId) => ask('getMessage', messageSchema, { messageId }, {}),
    failed: list('listMessages', messageSchema, { state: 'failed' }, lastDay),
    pending: list('listMessages', messageSchema, { state: 'pending' }),
    timeline: listUnder('getTimeline', 'phone', timelineEntrySchema),
    send: listUnder('listSend', 'sendId', messageSchema),
    replies: list('listReplies', replySchema, {}, lastDay),
    optOuts: list('listOptOuts', optOutSchema),
    quarantine: list('listQuarantine', quarantinedSchema, {}, lastDay),
    quarantineEntry: (entryId) => ask('getQuarantineEntry', quarantineEntrySchema, { entryId }, {}),
  };
}

/**
 * @param page reads the page at a cursor, or the first page
 * @param settle fixes a query for all its pages
 */
function listOf<A extends readonly unknown[], T>(
  page: (cursor: string | undefined, ...asked: A) => Promise<PageView<T>>,
  settle: (...asked: A) => A = (...asked) => asked,
): List<A, T> {
  async function* all(...asked: A): AsyncGenerator<T, void> {
    const query = settle(...asked);
    let cursor: string | undefined;
    do {
      const { entries, next } = await page(cursor, ...query);
      yield* entries;
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }
  return Object.assign((...asked: A) => page(undefined, ...asked), { all });
}

/** Formats query parameters. @param cursor replaces the query's own */
function textOf({ status, limit, ...query }: AnyQuery, cursor: string | undefined): Record<string, string> {
  return defined({
    ...query,
    status: status?.join(','),
    limit: limit?.toString(),
    cursor: cursor ?? query.cursor,
  });
}

async function errorOf(response: Response): Promise<QueryError> {
  const text = await response.text();
  const problem = problemSchema.safeParse(parseJson(text));
  if (problem.success) return new QueryError(problem.data);
  return new QueryError({
    type: 'about:blank',
    title: `HTTP ${response.status}`,
    status: response.status,
    detail: text.slice(0, 200),
  });
}
