import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import { outcomeOf } from '../../contract/schema/sms-event.ts';
import type { BusEvent } from '../bus/details.ts';
import { busEventId, detailTypes } from '../bus/event-types.ts';
import {
  changesOf,
  compareByTime,
  compareText,
  contentOf,
  contradictionOf,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
  type Reply,
  type ReplyEntry,
  type StatusEntry,
  staleEventId,
  versionsOf,
} from '../history/message.ts';
import type { KeywordOf } from '../opt-out/keyword.ts';
import { mayMeanStop } from '../opt-out/may-mean-stop.ts';
import type { OptOutChange } from '../opt-out/opt-out-store.ts';

/** A thing of the history as it was before a write and after it. */
interface Changed<K extends string, T> {
  readonly kind: K;
  /** Undefined where it is new. */
  readonly before: T | undefined;
  readonly after: T;
}

/** One write to the history: to a message, a reply, what the register says of a number, or what differs from the contract on a day. */
export type HistoryChange =
  | Changed<'message', Message>
  | Changed<'reply', Reply>
  | Changed<'opt-out', OptOutChange>
  | Changed<'drift', DriftDay>;

/** What is told depends on. */
export interface PublishOptions {
  /** Whether each delivery report is told of, not only what it changes. */
  readonly everyEvent: boolean;
  readonly keywordOf: KeywordOf;
}

/** The most UTF-16 units of a text that a detail holds. */
const mostErrorText = 1000;
const mostReplyText = 10_000;

/**
 * What a write to the history means to those who listen on the bus. The same write always gives the same events with the same
 * ids; a write that only repeats or takes something away gives none.
 *
 * @returns in the order in which they are to be published
 */
export function historyEvents(change: HistoryChange, { everyEvent, keywordOf }: PublishOptions): BusEvent[] {
  switch (change.kind) {
    case 'message':
      return messageEvents(change, everyEvent);
    case 'reply':
      return replyEvents(change, keywordOf);
    case 'opt-out':
      return optOutEvents(change);
    case 'drift':
      return driftEvents(change);
  }
}

function messageEvents({ before, after }: Changed<'message', Message>, everyEvent: boolean): BusEvent[] {
  const { added, replaced } = changesOf(after.events.values(), before?.events);
  if (added.length + replaced.length === 0) return [];
  const previous = before && decidingEntry(before);
  const deciding = decidingEntry(after);
  const stale = added.find(({ eventId }) => eventId === staleEventId);
  const isNew = before?.events.has(deciding.eventId) !== true;
  return [
    ...(everyEvent ? reportEvents(after, before) : []),
    ...(deciding.status === previous?.status
      ? []
      : [statusChanged(after, deciding, previous, isNew ? [] : replaced)]),
    ...conflictEvents(after, deciding, before),
    ...(stale === undefined ? [] : [staleEvent(after, stale, previous)]),
  ];
}

/** A report that got another content is published again, under an id of its own; one that is an earlier copy is not. */
function reportEvents(after: Message, before: Message | undefined): BusEvent[] {
  return freshEntries(after.events.values(), before?.events)
    .sort((a, b) => compareByTime(a.entry, b.entry))
    .map(({ entry, idParts }) => ({
      detailType: detailTypes.deliveryEvent,
      detail: {
        ...head(busEventId('report', after.messageId, ...idParts)),
        ...about(after),
        ...reported(entry),
      },
    }));
}

/** An entry to publish, and what tells it from every other of its message or reply. */
interface FreshEntry<E> {
  readonly entry: E;
  readonly idParts: readonly string[];
}

/**
 * Returns the entries whose event id is new, and those for which the service reported something else before. What the contract makes of the
 * same report, such as a number or an error's reason, may change with a deployment: a redelivery afterwards is not published again.
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

/** The service's own words in a report or reply. */
function wordsOf(entry: StatusEntry | ReplyEntry): string {
  return JSON.stringify(
    'text' in entry ? [entry.text] : [entry.word ?? entry.status, entry.errorCode, entry.errorText],
  );
}

/**
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
      conflict: hasConflict(message),
      ...reported(deciding),
    },
  };
}

/** The same event whichever of the reports comes first, at the write that makes the message contradictory. */
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

function replyEvents({ before, after }: Changed<'reply', Reply>, keywordOf: KeywordOf): BusEvent[] {
  return freshEntries(versionsOf(after).values(), before && versionsOf(before))
    .sort(
      ({ entry: a }, { entry: b }) =>
        compareText(a.occurredAt, b.occurredAt) || compareText(a.eventId, b.eventId),
    )
    .flatMap((fresh) => versionEvents(after.replyId, fresh, keywordOf));
}

function versionEvents(
  replyId: string,
  { entry: version, idParts }: FreshEntry<ReplyEntry>,
  keywordOf: KeywordOf,
): BusEvent[] {
  const { eventId: historyEventId, messageId, from, to, occurredAt, receivedAt } = version;
  const keyword = keywordOf(version.text, from);
  const text = cut(version.text, mostReplyText);
  const received: BusEvent = {
    detailType: detailTypes.replyReceived,
    detail: {
      ...head(busEventId('reply', replyId, ...idParts)),
      historyEventId,
      replyId,
      messageId,
      from,
      to,
      text,
      isTextCut: text !== version.text,
      keyword,
      mayMeanStop: keyword === undefined && mayMeanStop(version.text, keywordOf),
      occurredAt,
      receivedAt,
    },
  };
  if (keyword !== 'help') return [received];
  const help: BusEvent = {
    detailType: detailTypes.helpRequested,
    detail: {
      ...head(busEventId('help', replyId, ...idParts)),
      phone: from,
      replyId,
      historyEventId,
      messageId,
      occurredAt,
    },
  };
  return [received, help];
}

function optOutEvents({ before, after }: Changed<'opt-out', OptOutChange>): BusEvent[] {
  const { phone, state, at, replyId } = after;
  // Contacts at the SMS service are keyed by the spelling, so another one of the same number is published as well.
  if (state === before?.state && phone === before.phone) return [];
  const kind = state === 'out' ? 'opt-out' : 'opt-in';
  // A copy can move the newest statement to an earlier time. Then an older one counts again, and needs an id that consumers have not seen.
  const countsAgain = before !== undefined && (at < before.at || (at === before.at && state === 'in'));
  const corrected = countsAgain ? [before.replyId, before.at] : [];
  return [
    {
      detailType: state === 'out' ? detailTypes.optOut : detailTypes.optIn,
      detail: { ...head(busEventId(kind, phone, replyId, at, ...corrected)), phone, replyId, occurredAt: at },
    },
  ];
}

function driftEvents({ before, after }: Changed<'drift', DriftDay>): BusEvent[] {
  return [...after.novelties]
    .filter(([id]) => before?.novelties.has(id) !== true)
    .map(([id, novelty]) => ({
      detailType: detailTypes.contractDrifted,
      detail: { ...head(busEventId('contract-drift', after.day, id)), ...novelty },
    }));
}

function head(eventId: string) {
  return { version: 1, eventId } as const;
}

function about({ messageId, sendId, phone }: Message) {
  return { messageId, sendId, phone };
}

function reported(entry: StatusEntry) {
  const { eventId, status, word, errorCode, errorReason, errorText, occurredAt, receivedAt } = entry;
  return {
    status,
    historyEventId: eventId,
    word: word === status ? undefined : word,
    errorCode,
    errorReason,
    errorText: errorText === undefined ? undefined : cut(errorText, mostErrorText),
    occurredAt,
    receivedAt,
  };
}

/** Never half a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
