import { createClient as createHttpClient } from './generated/client/index.ts';
import { QueryClient } from './generated/sdk.gen.ts';
import type { Problem } from './generated/types.gen.ts';
import { QueryError } from './query-error.ts';
import { createSignedFetch, type SignedFetchSettings } from './signed-fetch.ts';

export interface QueryClientSettings extends SignedFetchSettings {
  /** The output `QueryUrl` of the pipeline's stack. */
  readonly baseUrl: string;
}

/**
 * Creates a client of the query API. Each method returns `{ data, error, response }`, where `error` is a `QueryError`. With
 * `{ throwOnError: true }` as its second argument a method throws that error instead. Without a response it throws the error of `fetch` or of
 * the credential provider. The client does not retry.
 *
 * @example
 * const sms = createClient({ baseUrl, region: 'us-east-1', credentials: fromNodeProviderChain() });
 * const { data, error } = await sms.getMessage({ messageId: 'msg-1' });
 */
export function createClient({ baseUrl, ...settings }: QueryClientSettings): QueryClient {
  const client = createHttpClient({
    // Each path of the API begins with the version that ends the base URL.
    baseUrl: baseUrl.replace(/\/v1\/?$/, ''),
    fetch: createSignedFetch(settings),
    parseAs: 'json',
  });
  client.interceptors.error.use((error, response) => {
    if (response === undefined || response.ok) throw error;
    return new QueryError(problemOf(response, error));
  });
  return new QueryClient({ client });
}

/** @param body the parsed JSON, or the text if it is not JSON */
function problemOf({ status, headers }: Response, body: unknown): Problem {
  if (isProblem(body, headers)) return body;
  const detail = (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, 200);
  return { type: 'about:blank', title: `HTTP ${status}`, status, detail };
}

function isProblem(body: unknown, headers: Headers): body is Problem {
  return typeof body === 'object' && headers.get('content-type')?.includes('problem+json') === true;
}

type CsvAnswer =
  | { readonly data: string; readonly error: undefined; readonly response?: Response }
  | { readonly data: undefined; readonly error: unknown };

/**
 * Iterates over the pages of a list as CSV, newest first. The first part begins with the names of the columns.
 *
 * @param list requests the page at a cursor, or the first page
 * @throws QueryError for an error response
 * @example
 * const status = ['undelivered', 'failed'] as const;
 * for await (const rows of allCsv((page) => sms.listSendCsv({ sendId, status: [...status], ...page }))) file.write(rows);
 */
export async function* allCsv(
  list: (page: { cursor?: string }) => Promise<CsvAnswer>,
): AsyncGenerator<string, void> {
  let next: string | undefined;
  do {
    const answer = await list(next === undefined ? {} : { cursor: next });
    if (answer.data === undefined) throw answer.error;
    yield next === undefined ? answer.data : withoutFirstRow(answer.data);
    next = nextCursor(answer.response?.headers.get('link'));
  } while (next !== undefined);
}

const rowEnd = '\r\n';

/** The names of columns contain no line break. */
const withoutFirstRow = (csv: string) => csv.slice(csv.indexOf(rowEnd) + rowEnd.length);

/** Reads the cursor in the header Link (RFC 8288) of a page; undefined on the last page. */
function nextCursor(link: string | null | undefined): string | undefined {
  const [, query] = /^<\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
}

type PageAnswer<T> =
  | {
      readonly data: { readonly entries: readonly T[]; readonly next: string | null };
      readonly error: undefined;
    }
  | { readonly data: undefined; readonly error: unknown };

/**
 * Iterates over the entries of all pages of a list, newest first. Name `since` for a list that otherwise begins a day before the
 * request: each page would begin a little later.
 *
 * @param list requests the page at a cursor, or the first page
 * @throws QueryError for an error response
 * @example
 * for await (const reply of allEntries((page) => sms.listReplies({ since, ...page }))) console.log(reply.text);
 */
export async function* allEntries<T>(
  list: (page: { cursor?: string }) => Promise<PageAnswer<T>>,
): AsyncGenerator<T, void> {
  let next: string | null | undefined;
  do {
    const { data, error }: PageAnswer<T> = await list(typeof next === 'string' ? { cursor: next } : {});
    if (data === undefined) throw error;
    yield* data.entries;
    next = data.next;
  } while (next !== null);
}
