import type { ReportOrigin, Unread } from '../../contract/schema/sms-event.ts';

/** The common part of delivery reports and versions of replies, as the history keeps them. */
export interface Entry extends Unread {
  readonly eventId: string;
  /** Only delivery reports have a rank. */
  readonly rank?: number;
  /** ISO 8601 in UTC, as is `receivedAt`. */
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly origin?: ReportOrigin;
  /** The ids of the imports that have exactly this entry, sorted; left out of what no import has. */
  readonly importIds?: readonly string[];
  /** What other imports, or the pipeline itself, have under the same event id, if it differs: the preferred one first. */
  readonly copies?: readonly Entry[];
}

/**
 * Returns the content of an entry, without its times and its imports, as canonical JSON: the database does not keep the order of keys. Lone surrogates count
 * as their replacement, because the database keeps only that.
 */
export function contentOf(entry: Entry): string {
  return JSON.stringify(Object.fromEntries(fieldsOf(entry)), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)))
      : value,
  );
}

function fieldsOf({ occurredAt, receivedAt, importIds, copies, ...content }: Entry) {
  return Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value] as const);
}

/**
 * Orders entries of one event id. The result is positive if `a` is kept. It is a total order of the contents, so neither the order nor
 * the time of storage matters. What the pipeline received is kept before what was imported, then the greater rank, then the copy that was read more exactly, then the one with more fields, such as one
 * that adds the price, then the greater content. Of copies of one content the earlier time is kept, then the earlier receipt: if the contract has no event times, both are the
 * time of receipt.
 */
function compareContents(a: Entry, b: Entry): number {
  return (
    origins.indexOf(a.origin) - origins.indexOf(b.origin) ||
    (a.rank ?? 0) - (b.rank ?? 0) ||
    timeDoubts.indexOf(b.timeIs) - timeDoubts.indexOf(a.timeIs) ||
    unreadIn(b) - unreadIn(a) ||
    fieldsOf(a).length - fieldsOf(b).length ||
    compareText(contentOf(a), contentOf(b)) ||
    compareText(b.occurredAt, a.occurredAt) ||
    compareText(b.receivedAt, a.receivedAt)
  );
}

/** The origins of reports, in rising order of precedence. */
export const origins: readonly Entry['origin'][] = ['lookup', 'import', undefined];

/** In rising order of doubt. */
export const timeDoubts: readonly Entry['timeIs'][] = [undefined, 'assumed', 'received'];

const unreadIn = ({ unread = {} }: Entry): number => Object.keys(unread).length;

/** Returns whether `entry` replaces the known entry of its event id. A repeat that changes nothing does not. */
export function replaces(entry: Entry, known: Entry | undefined): boolean {
  return known === undefined || compareContents(entry, known) > 0;
}

/** Stands for the pipeline itself among the imports that have an entry. */
const pipeline = '';

/**
 * Joins two entries of one event id. Each import, and the pipeline itself, has one copy, and the greatest by {@link replaces} is the entry. The
 * join is that of each reporter's copies, so it is associative, commutative and idempotent, and the copy of one import can be removed exactly.
 */
export function joinCopies<E extends Entry>(a: E, b: E): E {
  const areReceived = [a, b].every(
    ({ importIds, copies }) => importIds === undefined && copies === undefined,
  );
  if (areReceived) return replaces(b, a) ? b : a;
  return entryOf(copiesByReporter([a, b])) ?? a;
}

/** Joins two entries of one event id like {@link joinCopies}, except that of each reporter the first entry's copy counts. */
export function joinCopiesPreferring<E extends Entry>(preferred: E, other: E): E {
  const copies = new Map([...copiesByReporter([other]), ...copiesByReporter([preferred])]);
  return entryOf(copies) ?? preferred;
}

/** Returns an entry without the copy of an import; undefined if no other reporter has it. */
export function withoutCopy<E extends Entry>(entry: E, importId: string): E | undefined {
  const copies = copiesByReporter([entry]);
  return copies.delete(importId) ? entryOf(copies) : entry;
}

function copiesByReporter<E extends Entry>(entries: readonly E[]): Map<string, E> {
  const found = new Map<string, E>();
  for (const { copies = [], ...main } of entries)
    for (const { importIds = [pipeline], ...copy } of [main, ...copies] as E[])
      for (const reporter of importIds)
        if (replaces(copy as E, found.get(reporter))) found.set(reporter, copy as E);
  return found;
}

/** Returns the entry of some copies: the greatest one with its imports, and the others that differ from it. */
function entryOf<E extends Entry>(copies: ReadonlyMap<string, E>): E | undefined {
  const same = Map.groupBy(copies, ([, copy]) => `${contentOf(copy)} ${copy.occurredAt} ${copy.receivedAt}`);
  const [entry, ...others] = [...same.values()]
    .flatMap((group) => {
      const importIds = group.flatMap(([reporter]) => (reporter === pipeline ? [] : [reporter])).sort();
      return group.slice(0, 1).map(([, copy]) => ({ ...copy, ...(importIds.length > 0 && { importIds }) }));
    })
    .sort((a, b) => compareContents(b, a));
  return entry === undefined || others.length === 0 ? entry : { ...entry, copies: others };
}

/** The entries that change a message or a reply. */
export interface Changes<E> {
  /** Their event ids are new. */
  readonly added: readonly E[];
  /** Their event ids are known with another content, or other times. */
  readonly replaced: readonly E[];
}

/** Returns how entries change the known entries. @param known by event id */
export function changesOf<E extends Entry>(
  entries: Iterable<E>,
  known: ReadonlyMap<string, E> | undefined,
): Changes<E> {
  const kept = [...entries].filter((entry) => replaces(entry, known?.get(entry.eventId)));
  return {
    added: kept.filter((entry) => known?.has(entry.eventId) !== true),
    replaced: kept.filter((entry) => known?.has(entry.eventId) === true),
  };
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
