import type { Problem } from '../../client/types.ts';
import { withSources } from '../rules/ids.ts';
import { bearerHeaders } from './bearer.ts';

/** An answer that is no success, as problem details (RFC 9457). */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly problem: Problem;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: Problem, retryAfterSeconds?: number) {
    super(problem.detail);
    this.problem = problem;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether an error may be gone in a second: no connection, too many requests, a database that is busy. */
export function isBusy(error: Error): boolean {
  return !(error instanceof RequestError) || error.problem.status === 429 || error.problem.status >= 502;
}

/** Whether an error may pass without a change by the viewer. */
export function mayPass(error: Error): boolean {
  return (
    isBusy(error) ||
    !(error instanceof RequestError && error.problem.status >= 400 && error.problem.status < 500)
  );
}

interface KnownAnswer {
  readonly etag: string;
  readonly body: unknown;
}

let isRevealing = false;

/** Asks for whole numbers with every request from now on, or no longer. The server checks the right, and logs who asked. */
export function reveal(isWanted: boolean): void {
  isRevealing = isWanted;
  knownAnswers.clear();
}

/** Other pages cannot send this header. */
const revealHeaders = () => (isRevealing ? { 'x-reveal': 'yes' } : {});

/** The newest answers by URL, oldest first. A live view asks whether its answer is still the same. */
const knownAnswers = new Map<string, KnownAnswer>();
const maxKnownAnswers = 100;

function remember(url: string, answer: KnownAnswer): void {
  knownAnswers.delete(url);
  knownAnswers.set(url, answer);
  const [first] = knownAnswers.keys();
  if (knownAnswers.size > maxKnownAnswers && first !== undefined) knownAnswers.delete(first);
}

/**
 * Reads a URL of the console's origin. The types are those of client/types.ts: the server and this page are of one version. Here an id without
 * a source is one of `main`, also if another source uses the same id.
 *
 * @throws RequestError for an answer that is no success
 */
export async function get<T>(url: string, signal?: AbortSignal): Promise<T> {
  try {
    return await read<T>(url, signal);
  } catch (error) {
    const isAmbiguous = error instanceof RequestError && error.problem.type.endsWith(':ambiguous-id');
    if (!isAmbiguous) throw error;
    return read<T>(url.replace(/^\/v1\/(messages|sends)\//, '$&main%2F'), signal);
  }
}

async function read<T>(url: string, signal?: AbortSignal): Promise<T> {
  const known = knownAnswers.get(url);
  const headers = {
    ...(await bearerHeaders()),
    accept: 'application/json',
    ...revealHeaders(),
    ...(known && { 'if-none-match': known.etag }),
  };
  const response = await fetch(url, { headers, cache: 'no-store', ...(signal && { signal }) });
  if (response.status === 304 && known) return known.body as T;
  const body = await bodyOf(response);
  const etag = response.headers.get('etag');
  if (etag !== null) remember(url, { etag, body });
  return body as T;
}

/** Sends JSON to a URL of the console's origin. @throws RequestError for an answer that is no success */
export async function post<T>(url: string, content: unknown = {}): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      ...(await bearerHeaders()),
      accept: 'application/json',
      'content-type': 'application/json',
      ...revealHeaders(),
    },
    body: JSON.stringify(content),
    cache: 'no-store',
  });
  return (await bodyOf(response)) as T;
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  const body = parsed(text);
  const { status, headers } = response;
  if (response.ok && body !== undefined) return body;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  throw new RequestError(
    isProblem(body)
      ? body
      : { type: 'about:blank', title: `HTTP ${status}`, status, detail: `HTTP ${status}` },
    Number.isNaN(retryAfter) ? undefined : retryAfter,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text, withSources);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'detail' in body && 'status' in body;
}

/** Returns the query string of the parameters that have a value, in alphabetical order, so that equal queries have equal URLs. */
export function queryText(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const text = new URLSearchParams(given.toSorted(([a], [b]) => (a < b ? -1 : 1))).toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns an id as a segment of a path. API Gateway decodes a path before the query API sees it, so an id with "%" or "?", or with segments
 * that are empty or dots, is encoded twice, and one that ends like the path of the messages of a send.
 */
export function segment(id: string): string {
  const once = encodeURIComponent(id.toWellFormed());
  const isFragile =
    /[%?]|\/messages(\.csv)?$/.test(id) ||
    id.split('/').some((part) => part === '' || part === '.' || part === '..');
  return isFragile ? encodeURIComponent(once) : once;
}
