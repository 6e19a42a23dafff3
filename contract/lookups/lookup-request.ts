import type { LookupsContract } from '../schema/contract-schema.ts';
import { percentEncode } from '../text/percent-encode.ts';

/** What the service is asked for. Times are ISO 8601 in UTC. */
export type LookupQuestion =
  | { readonly operation: 'message'; readonly messageId: string }
  | { readonly operation: 'send'; readonly sendId: string }
  | { readonly operation: 'list'; readonly since: string; readonly until: string };

export type LookupOperation = LookupQuestion['operation'];

/** A request of a lookup, without its authentication. */
export interface LookupRequest {
  readonly method: 'GET' | 'POST';
  /** The path below the base URL, with its query. */
  readonly path: string;
  /** Sent as JSON; undefined for GET. */
  readonly body?: Readonly<Record<string, string>>;
}

/** Thrown if a contract does not describe the operation. */
export class NoSuchLookupError extends Error {
  override readonly name = 'NoSuchLookupError';

  constructor(operation: LookupOperation) {
    super(`the contract has no lookups.${operation}`);
  }
}

/** Thrown if the address of a next page is not below the base URL: the credentials must not go to another host. */
export class ForeignPageError extends Error {
  override readonly name = 'ForeignPageError';

  constructor() {
    super('the next page is at another host than lookups.baseUrl');
  }
}

/** Returns whether an id would be a step in a path and lead to another one (WHATWG URL, "double-dot URL path segment"), however it is escaped. */
export function isDotSegment(id: string): boolean {
  return id === '.' || id === '..';
}

interface RequestSettings {
  /** The user of Basic authentication; it stands for {user} in paths and parameters. */
  readonly user?: string | undefined;
  readonly baseUrl: string;
}

/**
 * Makes the request of a page.
 *
 * @param next the next page as the answer before it named it; undefined for the first page
 * @throws NoSuchLookupError, ForeignPageError
 */
export function lookupRequest(
  lookups: LookupsContract,
  question: LookupQuestion,
  next: string | undefined,
  { user, baseUrl }: RequestSettings,
): LookupRequest {
  const operation = lookups[question.operation];
  if (operation === null) throw new NoSuchLookupError(question.operation);
  const paging = 'paging' in operation ? operation.paging : null;
  if (next !== undefined && (paging?.kind === 'next-url' || paging?.kind === 'link'))
    return { method: 'GET', path: pathOfPage(next, baseUrl) };

  const values = { ...valuesOf(question, lookups), user };
  const path = fill(operation.path, values, percentEncode);
  const parameters: Record<string, string> = Object.fromEntries(
    Object.entries(operation.query).map(([name, template]) => [name, fill(template, values)]),
  );
  if (next !== undefined && paging !== null && 'parameter' in paging) parameters[paging.parameter] = next;
  if (operation.method === 'POST') return { method: 'POST', path, body: parameters };
  return { method: 'GET', path: withQuery(path, parameters) };
}

/** Adds parameters to a path that may have a query already. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(parameters).toString();
  if (query === '') return path;
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

function pathOfPage(next: string, baseUrl: string): string {
  const page = URL.parse(next, baseUrl);
  if (page === null || page.origin !== new URL(baseUrl).origin) throw new ForeignPageError();
  const base = new URL(baseUrl).pathname.replace(/\/$/, '');
  const isBelowBase = base !== '' && page.pathname.startsWith(`${base}/`);
  return `${isBelowBase ? page.pathname.slice(base.length) : page.pathname}${page.search}`;
}

function valuesOf(
  question: LookupQuestion,
  { list }: LookupsContract,
): Readonly<Record<string, string | undefined>> {
  if (question.operation === 'message') return { messageId: question.messageId };
  if (question.operation === 'send') return { sendId: question.sendId };
  const format = list?.spanFormat ?? 'iso8601';
  const until = format === 'date' ? endOfDay(question.until) : question.until;
  return { since: formatLimit(question.since, format), until: formatLimit(until, format) };
}

/** Returns the first moment of the next day, or the time itself if it is one. A service of whole days cannot be asked for a part of one. */
function endOfDay(iso: string): string {
  return new Date(Math.ceil(Date.parse(iso) / dayMs) * dayMs).toISOString();
}

const dayMs = 86_400_000;

type SpanFormat = NonNullable<LookupsContract['list']>['spanFormat'];

/** Writes a limit of a time span. */
function formatLimit(iso: string, format: SpanFormat): string {
  const seconds = iso.slice(0, 19);
  switch (format) {
    case 'iso8601':
      return `${seconds}Z`;
    case 'iso8601-offset':
      return `${seconds}.000+0000`;
    case 'date-time':
      return seconds.replace('T', ' ');
    case 'date':
      return iso.slice(0, 10);
    case 'unix-seconds':
      return String(Math.floor(Date.parse(iso) / 1000));
    case 'unix-milliseconds':
      return String(Date.parse(iso));
  }
}

function fill(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
  encode: (value: string) => string = (value) => value,
): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encode(values[name] ?? ''));
}
