import type * as z from 'zod';
import type {
  insightsQuery,
  messageListQuery,
  optOutListQuery,
  quarantineQuery,
  replyListQuery,
  sendListQuery,
  sendMessagesQuery,
  stateQuery,
} from '../functions/query/shapes.ts';
import { QueryError } from './query-error.ts';
import { createSignedFetch, type SignedFetchSettings } from './signed-fetch.ts';
import type {
  Conversation,
  CsvPage,
  Insights,
  Message,
  OptOut,
  Page,
  Problem,
  Quarantined,
  QuarantineEntry,
  Reply,
  SearchResults,
  Send,
  SendFigures,
  TimelineEntry,
} from './types.ts';

export interface QueryClientSettings extends SignedFetchSettings {
  /** The output `QueryUrl` of the pipeline's stack. */
  readonly baseUrl: string;
}

/** The parameters of a query. All of them are optional. */
type Query<T extends z.ZodType> = Partial<z.output<T>>;

type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * Creates a client of the query API. It does not retry.
 *
 * @example
 * const sms = createClient({ baseUrl, region: 'us-east-1', credentials: fromNodeProviderChain() });
 * const { status } = await sms.getMessage({ messageId: 'msg-1' });
 */
export const createClient = (settings: QueryClientSettings): QueryClient => new QueryClient(settings);

/**
 * A client of the query API. Each method throws a `QueryError` for an error response, and without a response the error of `fetch` or of the
 * credential provider.
 */
export class QueryClient {
  readonly #baseUrl: string;
  readonly #fetch: typeof fetch;

  constructor({ baseUrl, ...settings }: QueryClientSettings) {
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#fetch = createSignedFetch(settings);
  }

  /** Returns one message with its whole history. */
  getMessage({ messageId }: { messageId: string }): Promise<Message> {
    return this.#get(`/messages/${segment(messageId)}`);
  }

  /** Lists messages that failed, that have no final status yet, or that never got one. */
  listMessages(
    query: Query<typeof stateQuery> & { state: 'failed' | 'pending' | 'unknown' },
  ): Promise<Page<Message>> {
    return this.#get('/messages', query);
  }

  /** Lists the messages to a number and the replies from it; with a status, messages only. */
  getTimeline({
    phone,
    ...query
  }: { phone: string } & Query<typeof messageListQuery>): Promise<Page<TimelineEntry>> {
    return this.#get(`/phones/${segment(phone)}/timeline`, query);
  }

  /** Finds what has exactly this number or id. */
  async search({ q }: { q: string }): Promise<SearchResults> {
    const headers = { 'content-type': 'application/json' };
    const response = await this.#send('/search', { method: 'POST', headers, body: JSON.stringify({ q }) });
    return bodyOf(response);
  }

  /** Returns the number of a message or reply: its opt-out, and a page of the messages to it and the replies from it. */
  getConversation({ of, ...query }: { of: string } & Query<typeof messageListQuery>): Promise<Conversation> {
    return this.#get(`/conversations/${segment(of)}`, query);
  }

  /** Lists the messages of a bulk send. */
  listSend({
    sendId,
    ...query
  }: { sendId: string } & Query<typeof sendMessagesQuery>): Promise<Page<Message>> {
    return this.#get(`/sends/${segment(sendId)}/messages`, query);
  }

  /** Lists the messages of a bulk send as CSV; with a status, those that failed for example. */
  async listSendCsv({
    sendId,
    ...query
  }: { sendId: string } & Query<typeof sendMessagesQuery>): Promise<CsvPage> {
    const response = await this.#send(`/sends/${segment(sendId)}/messages.csv${queryText(query)}`);
    return { csv: await response.text(), next: nextCursor(response.headers.get('link')) };
  }

  /** Lists how bulk sends are doing, by the time of their first reports. */
  listSends(query: Query<typeof sendListQuery> = {}): Promise<Page<SendFigures>> {
    return this.#get('/sends', query);
  }

  /** Returns how the messages of a bulk send are doing. */
  getSend({ sendId }: { sendId: string }): Promise<Send> {
    return this.#get(`/sends/${segment(sendId)}`);
  }

  /** Returns how many messages were delivered in each hour or day, how fast, and what failed. */
  getInsights(query: Query<typeof insightsQuery> = {}): Promise<Insights> {
    return this.#get('/insights', query);
  }

  /** Lists replies, by the time they were sent. */
  listReplies(query: Query<typeof replyListQuery> = {}): Promise<Page<Reply>> {
    return this.#get('/replies', query);
  }

  /** Lists the numbers that want no more messages, by the time of their opt-out. */
  listOptOuts(query: Query<typeof optOutListQuery> = {}): Promise<Page<OptOut>> {
    return this.#get('/opt-outs', query);
  }

  /** Lists the received requests and events that could not be stored in the history, without their content. */
  listQuarantine(query: Query<typeof quarantineQuery> = {}): Promise<Page<Quarantined>> {
    return this.#get('/quarantine', query);
  }

  /** Returns one entry of the quarantine with the received bytes. */
  getQuarantineEntry({ entryId }: { entryId: string }): Promise<QuarantineEntry> {
    return this.#get(`/quarantine/${segment(entryId)}`);
  }

  async #get<T>(path: string, query: Parameters = {}): Promise<T> {
    return bodyOf(await this.#send(path + queryText(query)));
  }

  /** @throws QueryError for an error response */
  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#fetch(this.#baseUrl + path, init);
    if (!response.ok) throw new QueryError(problemOf(response, await response.text()));
    return response;
  }
}

/** Writes an id as a segment of a path. @throws RangeError for an id that a URL cannot hold */
function segment(id: string): string {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed())
    throw new RangeError(`${JSON.stringify(id)} is no id that the query API can be asked for`);
  return encodeURIComponent(id);
}

/** The body is of the type that the API promises. It is not checked: a later version of the API may have added fields and words. */
const bodyOf = <T>(response: Response) => response.json() as Promise<T>;

/** Writes a query with its "?", without parameters that are undefined. Parts of a list are separated by commas. */
function queryText(query: Parameters): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) text.set(name, String(value));
  return text.size === 0 ? '' : `?${text}`;
}

/** Reads the problem of an error response. API Gateway answers some requests itself, without a problem. */
function problemOf({ status, headers }: Response, body: string): Problem {
  if (headers.get('content-type')?.includes('problem+json') === true) return JSON.parse(body);
  return { type: 'about:blank', title: `HTTP ${status}`, status, detail: body.slice(0, 200) };
}

/** Reads the cursor in the header Link (RFC 8288) of a page; null on the last page. */
function nextCursor(link: string | null): string | null {
  const [, query] = /^<\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('cursor');
}

/**
 * Iterates over the entries of all pages of a list, newest first. Name `since` for a list that otherwise begins a day before the
 * request: each page would begin a little later.
 *
 * @param list requests the page at a cursor, or the first page
 * @example
 * for await (const reply of allEntries((page) => sms.listReplies({ since, ...page }))) console.log(reply.text);
 */
export async function* allEntries<T>(
  list: (page: { cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T, void> {
  for await (const { entries } of allPages(list)) yield* entries;
}

/**
 * Iterates over the pages of a list as CSV, newest first. The first part begins with the names of the columns.
 *
 * @param list requests the page at a cursor, or the first page
 * @example
 * const status = ['undelivered', 'failed'] as const;
 * for await (const rows of allCsv((page) => sms.listSendCsv({ sendId, status: [...status], ...page }))) file.write(rows);
 */
export async function* allCsv(
  list: (page: { cursor?: string }) => Promise<CsvPage>,
): AsyncGenerator<string, void> {
  let isFirst = true;
  for await (const { csv } of allPages(list)) {
    yield isFirst ? csv : withoutFirstRow(csv);
    isFirst = false;
  }
}

const rowEnd = '\r\n';

/** The names of columns contain no line break. */
const withoutFirstRow = (csv: string) => csv.slice(csv.indexOf(rowEnd) + rowEnd.length);

async function* allPages<P extends { readonly next: string | null }>(
  list: (page: { cursor?: string }) => Promise<P>,
): AsyncGenerator<P, void> {
  let page = await list({});
  yield page;
  while (page.next !== null) {
    page = await list({ cursor: page.next });
    yield page;
  }
}
