import { createHash } from 'node:crypto';
import { e164 } from '../../contract/phone/phone-key.ts';
import {
  type CostAndRoute,
  failedPartRank,
  outcomeOf,
  type ReplyEvent,
  rankOf,
  type StatusEvent,
} from '../../contract/schema/sms-event.ts';
import { omitUndefined } from '../base/basics.ts';
import {
  compareText,
  contentOf,
  type Entry,
  joinCopies,
  origins,
  replaces,
  timeDoubts,
  withoutCopy,
} from './entry.ts';

/** The beginning of the id of every message that `sms doctor` makes up. No service gives a message such an id. */
export const probeMessagePrefix = 'sms-doctor-';

/** Chooses between the numbers in two views of one message, whatever their order: E.164 before any other text, then the smaller text. */
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
  readonly importIds?: readonly string[];
  readonly copies?: readonly StatusEntry[];
}

/** What reports say about a message as a whole. */
export interface Heading {
  readonly phone?: string;
  readonly sendId?: string;
  /** When the report that was stored first was received; ISO 8601 in UTC. */
  readonly firstSeenAt: string;
}

/** A message with every delivery report about it. */
export interface Message extends Heading {
  readonly messageId: string;
  /** By event id. */
  readonly events: ReadonlyMap<string, StatusEntry>;
  /** The heading of each import that has a report, by the id of the import; left out if no import has one. */
  readonly importedBy?: ReadonlyMap<string, Heading>;
  /** The heading of the reports that no import has, if {@link importedBy} is there and there are such reports. */
  readonly withoutImports?: Heading;
}

/** A message has at most this many reports. Further reports go to quarantine. */
export const maxEventsPerMessage = 100;

/** Returns a message with one report. @param importId the import that the report is of; undefined if the pipeline received it */
export function messageOf(event: StatusEvent, receivedAt: string, importId?: string): Message {
  const { kind, messageId, sendId, phone, unread, ...report } = event;
  const heading: Heading = { ...omitUndefined({ sendId, phone }), firstSeenAt: receivedAt };
  const entry = {
    ...report,
    ...(unread !== undefined && withoutRecipient(unread, phone)),
    receivedAt,
    ...(importId !== undefined && { importIds: [importId] }),
  };
  return {
    messageId,
    ...heading,
    events: new Map([[entry.eventId, entry]]),
    ...(importId !== undefined && { importedBy: new Map([[importId, heading]]) }),
  };
}

/**
 * Returns the values of a report that could not be read, without a number that the message has as it is written. If another report has another number,
 * the message is that person's, and an erasure would not find this number there.
 */
function withoutRecipient(
  { recipient, ...others }: Readonly<Record<string, string>>,
  phone: string | undefined,
) {
  const unread = { ...others, ...(recipient !== phone && omitUndefined({ recipient })) };
  return Object.keys(unread).length === 0 ? {} : { unread };
}

/**
 * Joins views of one message. The join is associative, commutative and idempotent, so neither the order nor the number of arrivals
 * matters. Between different numbers that of the webhook counts before that of an import, and then
 * {@link preferredPhone} decides, and of different sends the smaller id is kept. Of several contents under
 * one event id the one that {@link replaces} the others is kept, as {@link joinCopies} does.
 *
 * @param views at least one
 */
export function foldMessages(views: readonly [Message, ...Message[]]): Message {
  const events = new Map<string, StatusEntry>();
  const importedBy = new Map<string, Heading>();
  let withoutImports: Heading | undefined;
  for (const view of views) {
    for (const [id, entry] of view.events) {
      const known = events.get(id);
      events.set(id, known === undefined ? entry : joinCopies(known, entry));
    }
    for (const [id, heading] of view.importedBy ?? [])
      importedBy.set(id, joinHeadings(importedBy.get(id), heading));
    const received = view.importedBy === undefined ? view : view.withoutImports;
    if (received !== undefined) withoutImports = joinHeadings(withoutImports, received);
  }
  return {
    messageId: views[0].messageId,
    ...preferReceived(views.slice(1).reduce(joinHeadings, joinHeadings(undefined, views[0])), withoutImports),
    events,
    ...(importedBy.size > 0 && { importedBy, ...omitUndefined({ withoutImports }) }),
  };
}

/**
 * Returns a heading with the number that the webhook received, unless only an import has one in E.164. An item keeps only one number with a country
 * code, and that of the webhook must be there after an undo of the import.
 */
function preferReceived(joined: Heading, received: Heading | undefined): Heading {
  const phone = received?.phone;
  if (phone === undefined || phone === joined.phone) return joined;
  return e164.test(phone) || !e164.test(joined.phone ?? '') ? { ...joined, phone } : joined;
}

function joinHeadings(a: Heading | undefined, b: Heading): Heading {
  const phone = preferredPhone(a?.phone, b.phone);
  const sendId = smallest(a?.sendId, b.sendId);
  return {
    ...omitUndefined({ phone, sendId }),
    firstSeenAt: smallest(a?.firstSeenAt, b.firstSeenAt) ?? b.firstSeenAt,
  };
}

/** Returns what imports have of a message, as a text that is equal for equal states. When they were first seen does not count. */
export function importsIn({ events, importedBy, withoutImports }: Message): string {
  const addressOf = ({ phone, sendId }: Heading) => [phone, sendId];
  return JSON.stringify([
    [...(importedBy ?? [])].map(([id, heading]) => [id, ...addressOf(heading)]).sort(),
    importedBy && withoutImports && addressOf(withoutImports),
    [...events.values()].map(importsOfEntry).sort(),
  ]);
}

/** Returns what imports have of a reply, as {@link importsIn} does of a message. */
export function importsOfReply(reply: Reply): string {
  return JSON.stringify(entriesOf(reply).map(importsOfEntry).sort());
}

function importsOfEntry({ eventId, importIds = [], copies = [] }: Entry): string {
  if (importIds.length + copies.length === 0) return '';
  const texts = copies.map((copy) => [contentOf(copy), copy.occurredAt, copy.receivedAt, copy.importIds]);
  return JSON.stringify([eventId, importIds, texts]);
}

/**
 * Returns a message as if an import had never been; undefined if only the import has reports of it. It keeps when it was first seen, if that is
 * the time of another report.
 */
export function messageWithoutImport(message: Message, importId: string): Message | undefined {
  const { messageId, firstSeenAt, withoutImports } = message;
  if (message.importedBy?.has(importId) !== true) return message;
  const events = new Map<string, StatusEntry>();
  for (const entry of message.events.values()) {
    const left = withoutCopy(entry, importId);
    if (left !== undefined) events.set(left.eventId, left);
  }
  const importedBy = new Map(message.importedBy);
  importedBy.delete(importId);
  // The mark of a stale message is no report.
  if (events.size === 0 || (events.size === 1 && events.has(staleEventId))) return undefined;
  const headings = [...(withoutImports === undefined ? [] : [withoutImports]), ...importedBy.values()];
  const [first, ...others] = headings;
  if (first === undefined) throw new TypeError('reports without a heading');
  const heading = preferReceived(others.reduce(joinHeadings, joinHeadings(undefined, first)), withoutImports);
  const isSeenByOther = headings.some((one) => one.firstSeenAt === firstSeenAt);
  return {
    messageId,
    ...heading,
    ...(isSeenByOther && { firstSeenAt }),
    events,
    ...(importedBy.size > 0 && { importedBy, ...omitUndefined({ withoutImports }) }),
  };
}

/** Returns a reply as if an import had never been; undefined if only the import has versions of it. */
export function replyWithoutImport(reply: Reply, importId: string): Reply | undefined {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of entriesOf(reply)) {
    const left = withoutCopy(entry, importId);
    if (left !== undefined) versions.set(left.eventId, left);
  }
  return versions.size === 0 ? undefined : replyFrom(reply.replyId, versions);
}

/** Joins two views of one message, as {@link foldMessages} does. */
export function mergeMessages(a: Message, b: Message): Message {
  return foldMessages([a, b]);
}

/**
 * Returns the report that decides a message's state: the greatest by {@link compareEntries}. A part that failed and was then delivered did not
 * fail.
 */
export function decidingEntry(message: Message): StatusEntry {
  const entries = [...message.events.values()];
  const delivered = new Set(
    entries.filter(({ rank }) => outcomeOf(rank) === 'success').map(({ partId }) => partId),
  );
  return entries
    .filter(({ rank, partId }) => rank !== failedPartRank || !delivered.has(partId))
    .reduce((best, entry) => (compareEntries(entry, best) > 0 ? entry : best));
}

/**
 * Orders reports by precedence. Negative if `b` takes precedence over `a`. Of two reports of one rank, one that the webhook received takes
 * precedence over a row of an import, and that over the answer of a lookup. So a webhook that arrives after a lookup decides as if it had
 * arrived first. Of two answers of lookups the one that was first received later takes precedence, because a service may show another
 * time whenever it is asked. An answer that is repeated keeps its first receipt, because a write for each repeat would cost money and change nothing.
 */
export function compareEntries(a: StatusEntry, b: StatusEntry): number {
  return (
    a.rank - b.rank ||
    origins.indexOf(a.origin) - origins.indexOf(b.origin) ||
    (a.origin === 'lookup'
      ? compareText(a.receivedAt, b.receivedAt)
      : compareText(a.occurredAt, b.occurredAt)) ||
    compareText(a.eventId, b.eventId)
  );
}

/** Orders reports by the time they happened. */
export function compareByTime(a: StatusEntry, b: StatusEntry): number {
  return compareText(a.occurredAt, b.occurredAt) || a.rank - b.rank || compareText(a.eventId, b.eventId);
}

/** Returns whether no further report is expected. */
export function isFinal(entry: StatusEntry): boolean {
  return outcomeOf(entry.rank) !== 'open';
}

/** Two reports that contradict each other: the message arrived, and it did not. */
export interface Contradiction {
  readonly success: StatusEntry;
  readonly failure: StatusEntry;
}

/** Returns the contradiction of a message, with the report of each outcome that takes precedence; undefined if the reports agree. */
export function contradictionOf(message: Message): Contradiction | undefined {
  const entries = [...message.events.values()].sort(compareEntries);
  const ofParts = entries.filter(({ partId }) => partId !== undefined);
  const ordered = ofParts.length === 0 ? entries : ofParts;
  const failures = ordered.filter(({ rank }) => outcomeOf(rank) === 'failure');
  const successes = ordered.filter(({ rank }) => outcomeOf(rank) === 'success');
  for (const success of successes.toReversed()) {
    // One part of a message may arrive while another does not.
    const failure = failures.findLast(({ partId }) => partId === success.partId);
    if (failure !== undefined) return { success, failure };
  }
  return undefined;
}

/** Returns whether the reports of a message contradict each other. */
export function hasConflict(message: Message): boolean {
  return contradictionOf(message) !== undefined;
}

/** The names of what {@link costAndRouteOf} returns, which are attributes of the item of a message. */
export const costAndRouteNames = ['price', 'currency', 'segments', 'network', 'carrier'] as const;

/** Returns the channel of a message; undefined for SMS. */
export function channelOf({ events }: Message): string | undefined {
  const ordered = [...events.values()].sort((a, b) => compareEntries(b, a));
  return ordered.find(({ channel }) => channel !== undefined)?.channel;
}

/**
 * Returns the cost and the route of a message. Each value is that of the report with the highest precedence among those that have it,
 * because services add the price or the network to one report only. The currency is that of the price.
 */
export function costAndRouteOf({ events }: Message): CostAndRoute {
  const ordered = [...events.values()].sort((a, b) => compareEntries(b, a));
  const first = (name: keyof CostAndRoute) => ordered.find((entry) => entry[name] !== undefined);
  const { price, currency } = first('price') ?? {};
  const segments = first('segments')?.segments;
  const network = first('network')?.network;
  const carrier = first('carrier')?.carrier;
  return omitUndefined({ price, currency, segments, network, carrier });
}

function smallest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareText(a, b) < 0 ? a : b;
}

/** The id of the report that the pipeline itself makes. A message has at most one. */
export const staleEventId = 'pipeline:stale';

const hourMs = 3_600_000;

/**
 * Returns the time before which a message without a final report must have been first seen to be stale; ISO 8601 in UTC.
 *
 * @param now milliseconds since the epoch
 */
export function staleBefore(now: number, staleAfterHours: number): string {
  return new Date(now - staleAfterHours * hourMs).toISOString();
}

/**
 * Returns the report that ends the wait for a final one. Every later final report of the service outranks it, except one of `unknown`,
 * which has the same rank. It is silent if every report of the message is, so that an import of old messages is not published days later.
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
    ...([...message.events.values()].every(({ silent }) => silent === true) && { silent: true }),
  };
}

/** One version of a reply as the history keeps it. */
export interface ReplyEntry extends Omit<ReplyEvent, 'kind' | 'replyId'> {
  /** When the webhook received it; ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** How many parts a reply has that was put together from them. */
  readonly parts?: PartCount;
  readonly importIds?: readonly string[];
  readonly copies?: readonly ReplyEntry[];
}

/** How many parts of a reply there are. */
interface PartCount {
  readonly total: number;
  readonly received: number;
  /** Whether each part was received once. Only then the text is the whole one. */
  readonly isWhole: boolean;
}

/** A reply: its current version, and the other versions that the service sent under the same id. */
export interface Reply {
  readonly replyId: string;
  /** The parts as one, of a reply in parts. */
  readonly current: ReplyEntry;
  /** The other versions by event id, which are almost always none; all parts, of a reply in parts. */
  readonly olderVersions: ReadonlyMap<string, ReplyEntry>;
}

/** Returns a reply with one version. @param importId the import that it is of; undefined if the pipeline received it */
export function replyOf(event: ReplyEvent, receivedAt: string, importId?: string): Reply {
  const { kind, replyId, ...version } = event;
  const entry = { ...version, receivedAt, ...(importId !== undefined && { importIds: [importId] }) };
  return replyFrom(replyId, new Map([[entry.eventId, entry]]));
}

/**
 * Joins views of one reply. The version with the greatest (occurredAt, eventId) becomes the current one, and every other is kept. A version of an
 * import is current only if the pipeline received none. Of several contents under one event id only the one that {@link replaces} the others
 * counts.
 *
 * @param views at least one
 */
export function foldReplies(views: readonly [Reply, ...Reply[]]): Reply {
  const versions = new Map<string, ReplyEntry>();
  for (const entry of views.flatMap(entriesOf)) {
    const known = versions.get(entry.eventId);
    versions.set(entry.eventId, known === undefined ? entry : joinCopies(known, entry));
  }
  return replyFrom(views[0].replyId, versions);
}

/** Joins two views of one reply, as {@link foldReplies} does. */
export function mergeReplies(a: Reply, b: Reply): Reply {
  return foldReplies([a, b]);
}

/**
 * Returns a reply that arrived, with each version that is stored already as it is stored: a repeat keeps the times of its first arrival.
 * A version whose event id is stored with another content stays as it arrived.
 */
export function asStored(arrived: Reply, stored: Reply): Reply {
  const known = versionsOf(stored);
  const versions = entriesOf(arrived).map((entry) => {
    const copy = known.get(entry.eventId);
    return copy !== undefined && contentOf(copy) === contentOf(entry) ? copy : entry;
  });
  return replyFrom(arrived.replyId, new Map(versions.map((entry) => [entry.eventId, entry])));
}

/** Returns the reply of some versions. @param versions by event id, at least one */
export function replyFrom(replyId: string, versions: ReadonlyMap<string, ReplyEntry>): Reply {
  const current = [...versions.values()].reduce((best, entry) => (supersedes(entry, best) ? entry : best));
  if (current.part !== undefined)
    return { replyId, current: joinParts([...versions.values()]), olderVersions: versions };
  const olderVersions = new Map(versions);
  olderVersions.delete(current.eventId);
  return { replyId, current, olderVersions };
}

/** Returns every version of a reply that the service sent, by event id: each part, of a reply in parts. */
export function versionsOf({ current, olderVersions }: Reply): ReadonlyMap<string, ReplyEntry> {
  return current.parts === undefined
    ? new Map([[current.eventId, current], ...olderVersions])
    : olderVersions;
}

/** The text between parts if one is missing, or if it is unknown how they belong together. */
const partGap = ' … ';

/**
 * Puts the parts of a reply together. They are whole if each part was received: a part with the same text is the same part again. Two texts of
 * one number are of two replies, whose parts cannot be distinguished. The result depends on the set of parts alone.
 */
function joinParts(versions: readonly ReplyEntry[]): ReplyEntry {
  const sorted = versions.toSorted(
    (a, b) =>
      (a.part?.number ?? 0) - (b.part?.number ?? 0) ||
      compareText(a.receivedAt, b.receivedAt) ||
      compareText(a.eventId, b.eventId),
  );
  const parts = sorted.filter(
    (one, index) =>
      sorted.findIndex(({ part, text }) => part?.number === one.part?.number && text === one.text) === index,
  );
  const [first = versions[0]] = parts;
  if (first === undefined) throw new TypeError('no parts');
  const { part, unread: _unread, original: _original, timeIs: _timeIs, ...whole } = first;
  const { importIds: _importIds, copies: _copies, ...shared } = whole;
  const total = part?.total ?? 1;
  const isWhole = parts.length === total && parts.every((one, index) => one.part?.number === index + 1);
  const ids = versions.map(({ eventId }) => eventId).sort();
  const unread = Object.assign({}, ...parts.map((one) => one.unread));
  const [timeIs] = timeDoubts.toReversed().filter((doubt) => parts.some((one) => one.timeIs === doubt));
  const media = parts.flatMap((one) => one.media ?? []);
  return {
    ...shared,
    ...(versions.some(({ optOut }) => optOut) && { optOut: true }),
    eventId: createHash('sha256').update(JSON.stringify(ids)).digest('base64url'),
    text: parts.map(({ text }) => text).join(isWhole ? '' : partGap),
    ...(media.length > 0 && { media }),
    ...(Object.keys(unread).length > 0 && { unread }),
    ...(timeIs !== undefined && { timeIs }),
    occurredAt: parts.map(({ occurredAt }) => occurredAt).sort()[0] ?? first.occurredAt,
    receivedAt:
      parts
        .map(({ receivedAt }) => receivedAt)
        .sort()
        .at(-1) ?? first.receivedAt,
    parts: { total, received: parts.length, isWhole },
  };
}

/** Returns when the first version of a reply was received. A conversation is sorted by the receipt of its entries. */
export function firstReceiptOf(reply: Reply): string {
  const [first] = entriesOf(reply)
    .map(({ receivedAt }) => receivedAt)
    .sort();
  return first ?? reply.current.receivedAt;
}

/** Returns the time under which an entry is listed: that of its receipt if its own time is in doubt. */
export function listedTime({ occurredAt, timeIs, receivedAt }: Entry): string {
  return timeIs === undefined ? occurredAt : receivedAt;
}

function entriesOf(reply: Reply): ReplyEntry[] {
  return [...versionsOf(reply).values()];
}

function supersedes(entry: ReplyEntry, other: ReplyEntry): boolean {
  if (entry.origin !== other.origin) return origins.indexOf(entry.origin) > origins.indexOf(other.origin);
  if (entry.occurredAt !== other.occurredAt) return entry.occurredAt > other.occurredAt;
  return entry.eventId > other.eventId;
}

/** An entry of a number's timeline. */
export type TimelineEntry =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'reply'; readonly reply: Reply };
