import type { StatusEvent } from '../events/event.ts';
import { outcomeOf } from '../statuses.ts';
import { compareText, replaces } from './content.ts';
import { preferredPhone } from './preferred-phone.ts';

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
export const maximumEventsPerMessage = 100;

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
