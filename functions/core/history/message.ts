import type { StatusEvent } from '../events/event.ts';
import { outcomeOf } from '../statuses.ts';
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
 * matters. Where views name different numbers {@link preferredPhone} decides; of different sends the smaller id stands. An event
 * is what its id says it is: of two contents under one id the one received first stands.
 *
 * @param views at least one
 */
export function foldMessages(views: readonly [Message, ...Message[]]): Message {
  const events = new Map<string, StatusEntry>();
  let { phone, sendId, firstSeenAt } = views[0];
  for (const view of views) {
    for (const [id, entry] of view.events) {
      const known = events.get(id);
      if (known === undefined || isBefore(entry, known)) events.set(id, entry);
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

/** Whether one report says that the message arrived and another that it did not. */
export function hasConflict(message: Message): boolean {
  const outcomes = new Set([...message.events.values()].map((entry) => outcomeOf(entry.rank)));
  return outcomes.has('success') && outcomes.has('failure');
}

/** Of two arrivals of one event the first stands, so that a repeat changes nothing. */
function isBefore(entry: StatusEntry, known: StatusEntry): boolean {
  return entry.receivedAt < known.receivedAt;
}

function smallest(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareText(a, b) < 0 ? a : b;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
