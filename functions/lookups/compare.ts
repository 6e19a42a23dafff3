import { isDeepStrictEqual } from 'node:util';
import { outcomeOf, type StatusEvent } from '../../contract/schema/sms-event.ts';
import {
  costAndRouteOf,
  decidingEntry,
  foldMessages,
  hasConflict,
  type Message,
  messageOf,
} from '../history/index.ts';

/** What an answer of the service adds to the history: a message, a state, only facts beside the state, or nothing. */
type Finding = 'missing' | 'changed' | 'completed' | 'known';

/**
 * Compares the answer of a lookup with the stored message. An answer is stored only if the message would look different with it, because
 * every write costs money: it decides the status, contradicts it, or has a number, a send, a price or a network that the message lacks.
 *
 * Each of these follows from the report that takes precedence, so an answer that is left out would not matter later either. So the order in
 * which reports and lookups arrive does not matter, except that of two different answers of lookups.
 *
 * @param receivedAt ISO 8601 in UTC
 */
export function compare(report: StatusEvent, stored: Message | undefined, receivedAt: string): Finding {
  if (stored === undefined) return 'missing';
  const merged = foldMessages([messageOf(report, receivedAt), stored]);
  if (!isDeepStrictEqual(stateOf(merged), stateOf(stored))) return 'changed';
  return isDeepStrictEqual(factsOf(merged), factsOf(stored)) ? 'known' : 'completed';
}

function stateOf(message: Message) {
  const { eventId, rank } = decidingEntry(message);
  return { eventId, outcome: outcomeOf(rank), conflict: hasConflict(message) };
}

function factsOf(message: Message) {
  const { occurredAt } = decidingEntry(message);
  return { occurredAt, phone: message.phone, sendId: message.sendId, ...costAndRouteOf(message) };
}

/** Returns a report without its cost and its route. */
export function withoutCost({
  price,
  currency,
  segments,
  network,
  carrier,
  ...report
}: StatusEvent): StatusEvent {
  return report;
}
