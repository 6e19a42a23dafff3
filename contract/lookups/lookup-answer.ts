import { compileExpression, lenientExpression, parseBody } from '../events/body.ts';
import { reportOfOrigin } from '../events/derived-report.ts';
import { createMapper } from '../events/mapping.ts';
import type { BundledContract, LookupsContract } from '../schema/contract-schema.ts';
import type { StatusEvent } from '../schema/sms-event.ts';
import type { LookupOperation } from './lookup-request.ts';

/** A message in an answer. */
export interface LookupReport extends StatusEvent {
  /** The numbers that the recipient may be, E.164, if its text may be several. */
  readonly recipientMayBe?: readonly string[];
}

/** One page of an answer. */
export type LookupAnswer =
  | {
      readonly kind: 'page';
      readonly reports: readonly LookupReport[];
      /** The bulk sends that the page lists, if the contract lists sends and not messages. */
      readonly sendIds: readonly string[];
      /** Why messages of the page could not be read, one entry for each: `bad-time (occurredAt)`. */
      readonly unreadable: readonly string[];
      /** The next page as {@link lookupRequest} takes it; undefined after the last page. */
      readonly next: string | undefined;
    }
  /** The answer as a whole is not what the contract says. `expected` never quotes it. */
  | { readonly kind: 'unreadable'; readonly expected: string };

interface PageSource {
  readonly operation: LookupOperation;
  /** Its body. */
  readonly text: string;
  /** Its header `Link`. */
  readonly link?: string | null;
  /** The page itself: what requested it; undefined for the first page. */
  readonly page?: string | undefined;
  /** The URL of the request. A relative next page is resolved against it (RFC 3986, section 5); without it, the page is left as it is. */
  readonly url?: string;
  /** When the service answered; ISO 8601 in UTC, with milliseconds. */
  readonly answeredAt: string;
}

/** Reads the answers of lookups. Never throws. */
export type LookupReader = (source: PageSource) => LookupAnswer;

type LookupRules = Pick<
  BundledContract,
  'webhook' | 'events' | 'statuses' | 'errors' | 'registration' | 'service'
>;

/**
 * Compiles the lookups of a contract. Each report gets the id of {@link reportOfOrigin}.
 */
export function createLookupReader(contract: LookupRules, lookups: LookupsContract): LookupReader {
  const { events, statuses } = contract;
  const map = createMapper({
    ...contract,
    webhook: { bodyFormat: 'json' },
    statuses: { ...statuses, ...lookups.statuses },
    events: {
      ...events,
      list: '@',
      kind: "'sms.status'",
      id: { from: 'content' },
      timeFormat: lookups.timeFormat ?? events.timeFormat,
      timeZone: lookups.timeZone ?? events.timeZone,
      status: lookups.report,
    },
  });
  const listOf = new Map<LookupOperation, (answer: unknown) => unknown>();
  for (const operation of ['message', 'send', 'list'] as const) {
    const rules = lookups[operation];
    if (rules !== null) listOf.set(operation, lenientExpression(rules.events));
  }
  const sendIdOf =
    lookups.list === null || lookups.list.sendId === null
      ? undefined
      : compileExpression(lookups.list.sendId);

  return (source) => {
    const parsed = parseBody({ bodyFormat: 'json' }, Buffer.from(source.text));
    if (parsed.kind === 'unreadable') return { kind: 'unreadable', expected: 'expected JSON' };
    const items = listOf.get(source.operation)?.(parsed.value);
    if (!Array.isArray(items))
      return {
        kind: 'unreadable',
        expected: `expected a list at lookups.${source.operation}.events of the contract`,
      };
    const next = nextPage(lookups, source, parsed.value, items.length);
    // The list would never end.
    if (next !== undefined && next === source.page)
      return { kind: 'unreadable', expected: 'expected another next page than the page that was asked for' };
    if (source.operation === 'list' && sendIdOf !== undefined) {
      const sendIds = items.map((item) => textOf(sendIdOf(item)));
      return {
        kind: 'page',
        reports: [],
        sendIds: sendIds.filter((id) => id !== undefined),
        unreadable: sendIds.filter((id) => id === undefined).map(() => 'missing-field (sendId)'),
        next,
      };
    }
    const mapped =
      items.length === 0 ? [] : map(Buffer.from(JSON.stringify(items)), undefined, source.answeredAt);
    const reports: LookupReport[] = [];
    const unreadable: string[] = [];
    for (const one of mapped) {
      if (one.kind === 'event' && one.event.kind === 'sms.status')
        reports.push({
          ...reportOfOrigin(one.event, 'lookup'),
          ...(one.recipientMayBe !== undefined && { recipientMayBe: one.recipientMayBe }),
        });
      else if (one.kind === 'unreadable')
        unreadable.push(one.field === undefined ? one.reason : `${one.reason} (${one.field})`);
    }
    return { kind: 'page', reports, sendIds: [], unreadable, next };
  };
}

function nextPage(
  lookups: LookupsContract,
  { operation, link, page, url }: PageSource,
  answer: unknown,
  listed: number,
): string | undefined {
  const rules = lookups[operation];
  const paging = rules !== null && 'paging' in rules ? rules.paging : null;
  if (paging === null) return undefined;
  switch (paging.kind) {
    case 'cursor':
      return textOf(lenientExpression(paging.next)(answer));
    case 'next-url':
      return resolve(textOf(lenientExpression(paging.next)(answer)), url, lookups.authentication);
    case 'link':
      return resolve(nextOfLink(link ?? ''), url, lookups.authentication);
    case 'page': {
      const number = page === undefined ? paging.first : Number(page);
      const last = paging.last === null ? undefined : numberOf(lenientExpression(paging.last)(answer));
      const isLast =
        last === undefined || Number.isNaN(last) ? itemsOn(paging, answer, listed) === 0 : number >= last;
      return isLast ? undefined : String(number + 1);
    }
    case 'offset': {
      const items = itemsOn(paging, answer, listed);
      return items < paging.size ? undefined : String(Number(page ?? 0) + items);
    }
  }
}

function itemsOn({ items }: { readonly items: string | null }, answer: unknown, listed: number): number {
  const all = items === null ? undefined : lenientExpression(items)(answer);
  return Array.isArray(all) ? all.length : listed;
}

/** Returns the target of `rel="next"` in a Link header (RFC 8288). */
function nextOfLink(header: string): string | undefined {
  for (const link of header.split('<').slice(1)) {
    const [target, parameters = ''] = link.split('>', 2);
    if (/; ?rel="?next\b/i.test(parameters)) return target;
  }
  return undefined;
}

/**
 * Resolves the reference to a page, without the API key: some services repeat the whole query, and the reference is stored. One that is not valid is
 * left as it is, and is refused when it is requested.
 */
function resolve(
  reference: string | undefined,
  url: string | undefined,
  authentication: LookupsContract['authentication'],
): string | undefined {
  if (reference === undefined || url === undefined) return reference;
  const page = URL.parse(reference, url);
  if (page === null) return reference;
  if (authentication.kind === 'query' && page.searchParams.has(authentication.name))
    page.searchParams.delete(authentication.name);
  return page.href;
}

/** A list or an object is no number, and may have a `toString` of its own that is no function. */
function numberOf(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
