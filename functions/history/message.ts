import { outcomeOf, type ReplyEvent, rankOf, type StatusEvent } from '../../contract/schema/sms-event.ts';

/** What every delivery report and every version of a reply has, as the history keeps it. */
interface Entry {
  readonly eventId: string;
  /** Only of delivery reports. */
  readonly rank?: number;
  /** ISO 8601 in UTC, as is `receivedAt`. */
  readonly occurredAt: string;
  readonly receivedAt: string;
}

/**
 * What an entry says, without its times, as canonical JSON. Half a character counts as its replacement, because a database keeps
 * only that.
 */
export function contentOf({ occurredAt, receivedAt, ...content }: Entry): string {
  const fields = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value] as const);
  return JSON.stringify(fields.sort(([a], [b]) => compareText(a, b)));
}

/**
 * Orders entries of one event id: positive where `a` is kept. It is a total order of what the entries say, so the result depends
 * neither on the order nor on the time of storage. The greater rank is kept, then the greater content. Of copies of one content the
 * earlier time is kept, then the earlier receipt: where the contract has no event times, both are the time of receipt.
 */
function compareContents(a: Entry, b: Entry): number {
  return (
    (a.rank ?? 0) - (b.rank ?? 0) ||
    compareText(contentOf(a), contentOf(b)) ||
    compareText(b.occurredAt, a.occurredAt) ||
    compareText(b.receivedAt, a.receivedAt)
  );
}

/** Whether `entry` replaces the known entry of its event id. A repeat that changes nothing does not. */
export function replaces(entry: Entry, known: Entry | undefined): boolean {
  return known === undefined || compareContents(entry, known) > 0;
}

/** How entries change what is known. */
export interface Changes<E> {
  /** Their event ids are new. */
  readonly added: readonly E[];
  /** They replace another content, or other times, under their event ids. */
  readonly replaced: readonly E[];
}

/** @param known by event id */
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

/** A plus sign and digits: what the mapper writes for a number that it could read. */
const e164 = /^\+\d+$/;

/**
 * Chooses between the numbers that two views of one message name, whatever their order: E.164 before any other text, then the
 * smaller text.
 */
export function preferredPhone(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const isE164 = e164.test(a);
  if (isE164 !== e164.test(b)) return isE164 ? a : b;
  return a < b ? a : b;
}

/** One delivery report as the history keeps it. */
export interface StatusEntry extends Omit<StatusEvent, 'kind' | 'messageId' | 'sendId' | 'phone'> {
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
}

/** A message with every delivery report about it. */
export interface Message {
  readonly messageId: string;
  readonly phone?: string;
  readonly sendId?: string;
  /** When the report that was stored first was received; ISO 8601 in UTC. */
  readonly firstSeenAt: string;
  /** By event id. */
  readonly events: ReadonlyMap<string, StatusEntry>;
}

/** The most reports one message takes; what is beyond goes to quarantine. */
export const maxEventsPerMessage = 100;

/** A message as its first report shows it. */
export function messageOf(event: StatusEvent, receivedAt: string): Message {
  const { kind, messageId, sendId, phone, ...entry } = event;
  return {
    messageId,
    ...(sendId === undefined ? {} : { sendId }),
    ...(phone === undefined ? {} : { phone }),
    firstSeenAt: receivedAt,
    events: new Map([[entry.eventId, { ...entry, receivedAt }]]),
  };
}

/**
 * Joins views of one message: associative, commutative and idempotent, so neither the order nor the number of arrivals
 * matters. Where views name different numbers {@link preferredPhone} decides; of different sends the smaller id stands. Of
 * several contents under one event id the one that {@link replaces} the others stands.
 *
 * @param views at least one
 */
export function foldMessages(views: readonly [Message, ...Message[]]): Message {
  const events = new Map<string, StatusEntry>();
  let { phone, sendId, firstSeenAt } = views[0];
  for (const view of views) {
    for (const [id, entry] of view.events) {
      if (replaces(entry, events.get(id))) events.set(id, entry);
    }
    phone = preferredPhone(phone, view.phone);
    sendId = smallest(sendId, view.sendId);
    firstSeenAt = smallest(firstSeenAt, view.firstSeenAt) ?? firstSeenAt;
  }
  return {
    messageId: views[0].messageId,
    ...(phone === undefined ? {} : { phone }),
    ...(sendId === undefined ? {} : { sendId }),
    firstSeenAt,
    events,
  };
}

/** Joins two views of one message, as {@link foldMessages} does. */
export function mergeMessages(a: Message, b: Message): Message {
  return foldMessages([a, b]);
}

/** The report that decides a message's state: the greatest by (rank, occurredAt, eventId). */
export function decidingEntry(message: Message): StatusEntry {
  return [...message.events.values()].reduce((best, entry) =>
    compareEntries(entry, best) > 0 ? entry : best,
  );
}

/** Orders reports by what they decide: negative where `a` decides less than `b`. */
export function compareEntries(a: StatusEntry, b: StatusEntry): number {
  return a.rank - b.rank || compareText(a.occurredAt, b.occurredAt) || compareText(a.eventId, b.eventId);
}

/** Orders reports as they happened. */
export function compareByTime(a: StatusEntry, b: StatusEntry): number {
  return compareText(a.occurredAt, b.occurredAt) || a.rank - b.rank || compareText(a.eventId, b.eventId);
}

/** Whether no further report is to be expected. */
export function isFinal(entry: StatusEntry): boolean {
  return outcomeOf(entry.rank) !== 'open';
}

/** A report that says that the message arrived, and one that says that it did not. */
export interface Contradiction {
  readonly success: StatusEntry;
  readonly failure: StatusEntry;
}

/** Of several reports of one outcome the one that decides most; undefined where the reports agree. */
export function contradictionOf(message: Message): Contradiction | undefined {
  const ordered = [...message.events.values()].sort(compareEntries);
  const success = ordered.findLast(({ rank }) => outcomeOf(rank) === 'success');
  const failure = ordered.findLast(({ rank }) => outcomeOf(rank) === 'failure');
  return success && failure && { success, failure };
}

/** Whether one report says that the message arrived and another that it did not. */
export function hasConflict(message: Message): boolean {
  return contradictionOf(message) !== undefined;
}

function smallest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareText(a, b) < 0 ? a : b;
}

/** Id of the report that the pipeline itself makes; a message has one at most. */
export const staleEventId = 'pipeline:stale';

const hourMs = 3_600_000;

/**
 * A message that was first seen before this time and has no final report is stale; ISO 8601 in UTC.
 *
 * @param now milliseconds since the epoch
 */
export function staleBefore(now: number, staleAfterHours: number): string {
  return new Date(now - staleAfterHours * hourMs).toISOString();
}

/**
 * The report that ends the wait for a final one. Every final report of the service outranks it, whenever it comes, except
 * one of `unknown`, which says the same.
 *
 * @param now milliseconds since the epoch
 */
export function staleReport(message: Message, staleAfterHours: number, now: number): StatusEntry {
  return {
    eventId: staleEventId,
    status: 'unknown',
    rank: rankOf('unknown'),
    occurredAt: new Date(Date.parse(message.firstSeenAt) + staleAfterHours * hourMs).toISOString(),
    receivedAt: new Date(now).toISOString(),
    errorText: `no final report within ${staleAfterHours} h`,
  };
}

/** One version of a reply as the history keeps it. */
export interface ReplyEntry extends Omit<ReplyEvent, 'kind' | 'replyId'> {
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
}

/** A reply: the version that stands, and those a service sent under the same id besides. */
export interface Reply {
  readonly replyId: string;
  readonly standing: ReplyEntry;
  /** By event id; almost always empty. */
  readonly superseded: ReadonlyMap<string, ReplyEntry>;
}

export function replyOf(event: ReplyEvent, receivedAt: string): Reply {
  const { kind, replyId, ...entry } = event;
  return { replyId, standing: { ...entry, receivedAt }, superseded: new Map() };
}

/**
 * Joins views of one reply: the version with the greatest (occurredAt, eventId) stands, every other is kept. Of several
 * contents under one event id only the one that {@link replaces} the others counts, also for which version stands.
 *
 * @param views at least one
 */
export function foldReplies(views: readonly [Reply, ...Reply[]]): Reply {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of views.flatMap(entriesOf)) {
    if (replaces(entry, versions.get(entry.eventId))) versions.set(entry.eventId, entry);
  }
  return replyFrom(views[0].replyId, versions);
}

/** Joins two views of one reply, as {@link foldReplies} does. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  return foldReplies([a, b]);
}

/**
 * What arrived, with each version that is stored already as it is stored: a repeat says what was said the first time,
 * and when. A version whose event id is stored with another content stays as it arrived.
 */
export function asStored(arrived: Reply, stored: Reply): Reply {
  const known = versionsOf(stored);
  const versions = entriesOf(arrived).map((entry) => {
    const found = known.get(entry.eventId);
    return found !== undefined && contentOf(found) === contentOf(entry) ? found : entry;
  });
  return replyFrom(arrived.replyId, new Map(versions.map((entry) => [entry.eventId, entry])));
}

/** @param versions by event id, at least one */
function replyFrom(replyId: string, versions: ReadonlyMap<string, ReplyEntry>): Reply {
  const standing = [...versions.values()].reduce((best, entry) => (supersedes(entry, best) ? entry : best));
  const superseded = new Map(versions);
  superseded.delete(standing.eventId);
  return { replyId, standing, superseded };
}

/** Every version of a reply, by event id. */
export function versionsOf({ standing, superseded }: Reply): ReadonlyMap<string, ReplyEntry> {
  return new Map([[standing.eventId, standing], ...superseded]);
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [...versionsOf(reply).values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}

/** An entry of a number's timeline. */
export type TimelineEntry =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'reply'; readonly reply: Reply };
