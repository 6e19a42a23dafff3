import type { DriftDay } from '../drift/novelty.ts';
import {
  compareByTime,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
  type StatusEntry,
} from '../history/message.ts';
import type { Reply, ReplyEntry } from '../history/reply.ts';
import { staleEventId } from '../history/stale.ts';
import type { KeywordOf } from '../opt-out/keyword.ts';
import { mayMeanStop } from '../opt-out/may-mean-stop.ts';
import type { OptOutChange } from '../opt-out/opt-out.ts';
import { outcomeOf } from '../statuses.ts';
import type { BusEvent } from './bus-event.ts';
import { detailTypes } from './detail-types.ts';
import { busEventId } from './event-id.ts';

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
export interface TellingSettings {
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
export function historyEvents(change: HistoryChange, { everyEvent, keywordOf }: TellingSettings): BusEvent[] {
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
  const fresh = [...after.events.values()].filter(({ eventId }) => before?.events.has(eventId) !== true);
  if (fresh.length === 0) return [];
  const previous = before && decidingEntry(before);
  const deciding = decidingEntry(after);
  const stale = fresh.find(({ eventId }) => eventId === staleEventId);
  return [
    ...(everyEvent ? fresh.sort(compareByTime).map((entry) => deliveryEvent(after, entry)) : []),
    ...(deciding.status === previous?.status ? [] : [statusChanged(after, deciding, previous)]),
    ...(stale === undefined ? [] : [staleEvent(after, stale, previous)]),
  ];
}

function deliveryEvent(message: Message, entry: StatusEntry): BusEvent {
  return {
    detailType: detailTypes.deliveryEvent,
    detail: {
      ...head(busEventId('report', message.messageId, entry.eventId)),
      ...about(message),
      ...reported(entry),
    },
  };
}

function statusChanged(message: Message, deciding: StatusEntry, previous: StatusEntry | undefined): BusEvent {
  return {
    detailType: detailTypes.statusChanged,
    detail: {
      ...head(busEventId('status', message.messageId, deciding.eventId)),
      ...about(message),
      previousStatus: previous?.status,
      final: isFinal(deciding),
      outcome: outcomeOf(deciding.rank),
      conflict: hasConflict(message),
      ...reported(deciding),
    },
  };
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
  const known = new Set(before && versionsOf(before).map(({ eventId }) => eventId));
  return versionsOf(after)
    .filter(({ eventId }) => !known.has(eventId))
    .sort((a, b) =>
      a.occurredAt < b.occurredAt || (a.occurredAt === b.occurredAt && a.eventId < b.eventId) ? -1 : 1,
    )
    .flatMap((version) => versionEvents(after.replyId, version, keywordOf));
}

function versionEvents(replyId: string, version: ReplyEntry, keywordOf: KeywordOf): BusEvent[] {
  const { eventId: historyEventId, messageId, from, to, occurredAt, receivedAt } = version;
  const keyword = keywordOf(version.text, from);
  const text = cut(version.text, mostReplyText);
  const received: BusEvent = {
    detailType: detailTypes.replyReceived,
    detail: {
      ...head(busEventId('reply', replyId, historyEventId)),
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
      ...head(busEventId('help', replyId, historyEventId)),
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
  if (state === before?.state) return [];
  const kind = state === 'out' ? 'opt-out' : 'opt-in';
  // A copy showed that what stood was said earlier, so something older stands again: a fact of its own, though that was published before.
  const standsAgain = before !== undefined && (at < before.at || (at === before.at && state === 'in'));
  const corrected = standsAgain ? [before.replyId, before.at] : [];
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

function versionsOf({ standing, superseded }: Reply): ReplyEntry[] {
  return [standing, ...superseded.values()];
}

/** Never half a character. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}
