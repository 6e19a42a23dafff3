import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import { serviceIds } from '../../../contract/events/source-id.ts';
import { outcomeOf } from '../../../contract/schema/sms-event.ts';
import { detailTypes } from '../../../events/event-types.ts';
import {
  aboutSource,
  causeOf,
  changesOf,
  channelOf,
  compareByTime,
  compareText,
  contentOf,
  contradictionOf,
  costAndRouteOf,
  decidingEntry,
  hasConflict,
  isFinal,
  type KeywordOf,
  keywordOfReply,
  type Message,
  type OptOutStatement,
  type Reply,
  type ReplyEntry,
  type StatusEntry,
  staleEventId,
  versionsOf,
} from '../../history/index.ts';
import type { BusEvent } from '../bus/details.ts';
import { busEventId } from '../bus/event-id.ts';

/** An item of the history before a write and after it. */
export interface Change<T> {
  /** Undefined if the item is new. */
  readonly before: T | undefined;
  readonly after: T;
}

/** Controls which events are published, and how replies are read. */
export interface PublishOptions {
  /** Whether each delivery report is published, not only the changes of a message's status. */
  readonly everyEvent: boolean;
  readonly keywordOf: KeywordOf;
  /** Returns whether a reply that is no keyword may ask for no more messages. */
  readonly mayMeanStop: (text: string) => boolean;
}

/** Limits of the texts in a detail, in UTF-16 units. */
const maxErrorTextLength = 1000;
const maxReplyTextLength = 10_000;

/**
 * Returns the events of a write to a message. The same write always gives the same events with the same ids. A write that only
 * repeats or removes something gives no event, nor does one that only adds silent reports.
 */
export function messageEvents(
  { before, after }: Change<Message>,
  { everyEvent }: PublishOptions,
): BusEvent[] {
  const { added, replaced } = changesOf(after.events.values(), before?.events);
  const changed = [...added, ...replaced];
  const hasChangeToPublish = changed.some(({ silent }) => silent !== true);
  if (!hasChangeToPublish) return [];
  const previous = before && publishedEntry(before);
  const deciding = decidingEntry(after);
  const stale = added.find(({ eventId }) => eventId === staleEventId);
  const isNew = before?.events.has(deciding.eventId) !== true;
  return [
    ...(everyEvent ? reportEvents(after, before) : []),
    ...(deciding.silent === true || deciding.status === previous?.status
      ? []
      : [statusChanged(after, deciding, previous, isNew ? [] : changed)]),
    ...conflictEvents(after, deciding, before),
    ...(stale === undefined ? [] : [staleEvent(after, stale, previous)]),
  ];
}

/** Returns the report whose status was published last. It is the one that decides if silent reports are left out. */
function publishedEntry(message: Message): StatusEntry | undefined {
  const published = [...message.events].filter(([, { silent }]) => silent !== true);
  return published.length === 0 ? undefined : decidingEntry({ ...message, events: new Map(published) });
}

/** Returns an event for each new report. A report whose content has changed is published again under a new id. An earlier copy is not. */
function reportEvents(after: Message, before: Message | undefined): BusEvent[] {
  return freshEntries(after.events.values(), before?.events)
    .sort((a, b) => compareByTime(a.entry, b.entry))
    .map(({ entry, idParts }) => ({
      detailType: detailTypes.deliveryEvent,
      detail: {
        ...head(busEventId('report', after.messageId, ...idParts)),
        ...about(after),
        ...reported(entry),
        ...costAndRouteOf(after),
      },
    }));
}

/** An entry to publish, with the parts of its event id that distinguish it from the other entries of its message or reply. */
interface FreshEntry<E> {
  readonly entry: E;
  readonly idParts: readonly string[];
}

/**
 * Returns the entries whose event id is new, and those for which the service reported something else before. A new contract may map the same
 * report to another number or another error reason. A redelivery of the report is not published again for that.
 */
function freshEntries<E extends StatusEntry | ReplyEntry>(
  entries: Iterable<E>,
  known: ReadonlyMap<string, E> | undefined,
): FreshEntry<E>[] {
  const { added, replaced } = changesOf<E>(entries, known);
  return [
    ...added.map((entry) => ({ entry, idParts: [entry.eventId] })),
    ...replaced.flatMap((entry) => {
      const old = known?.get(entry.eventId);
      const content = wordsOf(entry);
      return old !== undefined && wordsOf(old) === content
        ? []
        : [{ entry, idParts: [entry.eventId, content] }];
    }),
  ];
}

/** Returns the service's own words in a report or reply. */
function wordsOf(entry: StatusEntry | ReplyEntry): string {
  return JSON.stringify(
    'text' in entry ? [entry.text] : [entry.word ?? entry.status, entry.errorCode, entry.errorText],
  );
}

/**
 * Returns the event of a message's new status.
 *
 * @param replaced the reports whose new content or time lets an older report decide; they make the event id of this change different
 * from the id of the change that the deciding report made first
 */
function statusChanged(
  message: Message,
  deciding: StatusEntry,
  previous: StatusEntry | undefined,
  replaced: readonly StatusEntry[],
): BusEvent {
  const cause = replaced
    .toSorted((a, b) => compareText(a.eventId, b.eventId))
    .flatMap((entry) => [entry.eventId, entry.occurredAt, contentOf(entry)]);
  return {
    detailType: detailTypes.statusChanged,
    detail: {
      ...head(busEventId('status', message.messageId, deciding.eventId, ...cause)),
      ...about(message),
      previousStatus: previous?.status,
      final: isFinal(deciding),
      outcome: outcomeOf(deciding.rank),
      reportCount: message.events.size,
      conflict: hasConflict(message),
      ...reported(deciding),
      ...costAndRouteOf(message),
    },
  };
}

/** Returns an event for the write that makes a message contradictory. The order of the two reports does not matter. */
function conflictEvents(message: Message, { status }: StatusEntry, before: Message | undefined): BusEvent[] {
  const contradiction = contradictionOf(message);
  if (contradiction === undefined || (before !== undefined && hasConflict(before))) return [];
  const { success, failure } = contradiction;
  const { errorCode, errorReason, errorText } = reported(failure);
  return [
    {
      detailType: detailTypes.conflict,
      detail: {
        ...head(busEventId('conflict', message.messageId)),
        ...about(message),
        status,
        successStatus: success.status,
        successAt: success.occurredAt,
        failureStatus: failure.status,
        failureAt: failure.occurredAt,
        errorCode,
        errorReason,
        errorText,
      },
    },
  ];
}

function staleEvent(message: Message, stale: StatusEntry, previous: StatusEntry | undefined): BusEvent {
  return {
    detailType: detailTypes.stale,
    detail: {
      ...head(busEventId('stale', message.messageId)),
      ...about(message),
      firstSeenAt: message.firstSeenAt,
      lastStatus: previous?.status,
      staleAt: stale.occurredAt,
    },
  };
}

/** Returns an event for each new version of a reply, and another one if it asks for help. */
export function replyEvents({ before, after }: Change<Reply>, options: PublishOptions): BusEvent[] {
  if (after.current.parts !== undefined) return partEvents({ before, after }, options);
  return freshEntries(versionsOf(after).values(), before && versionsOf(before))
    .sort(
      ({ entry: a }, { entry: b }) =>
        compareText(a.occurredAt, b.occurredAt) || compareText(a.eventId, b.eventId),
    )
    .flatMap((fresh) => versionEvents(after.replyId, fresh, options));
}

/** Returns the event of a reply in parts, with the parts that were received. The word STOP in one part may mean an opt-out, but does not decide it. */
function partEvents({ before, after }: Change<Reply>, options: PublishOptions): BusEvent[] {
  const { replyId, current, olderVersions } = after;
  if (before?.current.eventId === current.eventId) return [];
  const parts = [...olderVersions.values()];
  const saysStop = (part: ReplyEntry) =>
    keywordOfReply(part, options.keywordOf) === 'stop' || options.mayMeanStop(part.text);
  return versionEvents(
    replyId,
    { entry: current, idParts: [current.eventId] },
    {
      ...options,
      keywordOf: (text, from) => (current.parts?.isWhole ? options.keywordOf(text, from) : undefined),
      mayMeanStop: (text) => options.mayMeanStop(text) || parts.some(saysStop),
    },
  );
}

function versionEvents(
  replyId: string,
  { entry: version, idParts }: FreshEntry<ReplyEntry>,
  { keywordOf, mayMeanStop }: PublishOptions,
): BusEvent[] {
  const { eventId: historyEventId, messageId, from, to, occurredAt, receivedAt } = version;
  const { channel, media, parts, timeIs } = version;
  const keyword = keywordOfReply(version, keywordOf);
  const text = cut(version.text, maxReplyTextLength);
  const received: BusEvent = {
    detailType: detailTypes.replyReceived,
    detail: {
      ...head(busEventId('reply', replyId, ...idParts)),
      historyEventId,
      ...serviceIds({ replyId, messageId }),
      from,
      to,
      text,
      isTextCut: text !== version.text,
      keyword,
      mayMeanStop: keyword === undefined && mayMeanStop(version.text),
      channel,
      media,
      parts,
      occurredAt,
      timeIs,
      receivedAt,
    },
  };
  if (keyword !== 'help') return [received];
  const help: BusEvent = {
    detailType: detailTypes.helpRequested,
    detail: {
      ...head(busEventId('help', replyId, ...idParts)),
      phone: from,
      ...serviceIds({ replyId, messageId }),
      historyEventId,
      occurredAt,
    },
  };
  return [received, help];
}

/** Returns an event for each changed opt-out state of a number: its state for all sources, and its state for a single source. */
export function optOutEvents({ before = [], after }: Change<readonly OptOutStatement[]>): BusEvent[] {
  const own = (source: string | undefined) => before.find((known) => aboutSource(known) === source);
  const named = after.map(aboutSource);
  const aboutAll = after.find((statement) => aboutSource(statement) === undefined);
  return after.flatMap((statement) => {
    const source = aboutSource(statement);
    const replaced =
      source === undefined
        ? // A statement about all sources also replaces older statements about one source.
          [own(undefined), ...before.filter((known) => !named.includes(aboutSource(known)))]
        : // A statement about all sources that was received late is not valid for this source, and may have no event of its own.
          [
            own(source) ?? own(undefined),
            ...(aboutAll && aboutAll.state !== own(undefined)?.state ? [aboutAll] : []),
          ];
    // The key of a contact at the SMS service is the number as written. So another spelling of the same number is published, too.
    const changed = replaced.filter(
      (known) => known?.state !== statement.state || known.phone !== statement.phone,
    );
    return changed.length === 0 ? [] : [optOutEvent(statement, changed)];
  });
}

/** @param replaced the statements that `after` replaces; undefined stands for none */
function optOutEvent(after: OptOutStatement, replaced: readonly (OptOutStatement | undefined)[]): BusEvent {
  const [before] = replaced;
  const { phone, state, at, by, source, onlySource, replyId, entryId, messageId } = after;
  const kind = state === 'out' ? 'opt-out' : 'opt-in';
  // A copy can move the newest statement to an earlier time. Then an older one counts again, and needs an id that consumers have not seen.
  const countsAgain = before !== undefined && (at < before.at || (at === before.at && state === 'in'));
  const corrected = countsAgain ? [causeOf(before), before.at] : [];
  return {
    detailType: state === 'out' ? detailTypes.optOut : detailTypes.optIn,
    detail: {
      ...head(busEventId(kind, phone, causeOf(after), at, ...corrected)),
      phone,
      by,
      source,
      onlySource,
      replyId,
      entryId,
      messageId,
      occurredAt: state === 'out' ? latestOf(at, replaced) : at,
    },
  };
}

/**
 * Returns the time of an opt-out for consumers, of whose events the latest counts. If an older opt-out counts again because the opt-in after it was
 * corrected, this is the time that the opt-in had. A consumer that misses a correction the other way round leaves the person opted out.
 */
function latestOf(at: string, replaced: readonly (OptOutStatement | undefined)[]): string {
  return replaced.reduce((latest, one) => (one !== undefined && one.at > latest ? one.at : latest), at);
}

/** Returns an event for each mismatch with the contract that is new on its day. */
export function driftEvents({ before, after }: Change<DriftDay>): BusEvent[] {
  return [...after.mismatches]
    .filter(([id]) => before?.mismatches.has(id) !== true)
    .map(([id, { events: _, ...mismatch }]) => ({
      detailType: detailTypes.contractDrifted,
      detail: { ...head(busEventId('contract-drift', after.day, id)), ...mismatch },
    }));
}

function head(eventId: string) {
  return { version: 1, eventId } as const;
}

function about(message: Message) {
  const { messageId, sendId, phone } = message;
  return { ...serviceIds({ messageId, sendId }), phone, channel: channelOf(message) };
}

function reported(entry: StatusEntry) {
  const { eventId, status, word, errorCode, errorReason, errorText, origin, partId } = entry;
  const { occurredAt, timeIs, receivedAt } = entry;
  return {
    status,
    historyEventId: eventId,
    word: word === status ? undefined : word,
    errorCode,
    errorReason,
    errorText: errorText === undefined ? undefined : cut(errorText, maxErrorTextLength),
    origin,
    partId,
    occurredAt,
    timeIs,
    receivedAt,
  };
}

/** Cuts a text between characters, never inside one. */
function cut(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
}
