import { outcomeOf, type StatusEvent } from '../../contract/schema/sms-event.ts';
import { compareEntries, decidingEntry, type Message, messageOf, replaces } from '../history/index.ts';

/** What an answer of the service adds to the history: a message, a state, only the number or the send, or nothing. */
type Finding = 'missing' | 'changed' | 'completed' | 'known';

/**
 * Compares the answer of a look-up with the stored message. An answer is stored only if it adds something, because every write costs money:
 * it decides the status, contradicts it, or has the number or the send that no report had.
 *
 * An answer that is left out never would have decided: the stored report that outranks it stays. So the order in which reports and
 * look-ups arrive does not matter.
 *
 * @param receivedAt ISO 8601 in UTC
 */
export function compare(report: StatusEvent, stored: Message | undefined, receivedAt: string): Finding {
  if (stored === undefined) return 'missing';
  const answer = messageOf(report, receivedAt);
  const entry = decidingEntry(answer);
  const repeated = stored.events.get(entry.eventId);
  if (repeated !== undefined) return replaces(entry, repeated) ? 'changed' : 'known';
  const deciding = decidingEntry(stored);
  const outcomes = new Set([outcomeOf(entry.rank), outcomeOf(deciding.rank)]);
  const contradicts = outcomes.has('success') && outcomes.has('failure');
  const addsAddress =
    (stored.phone === undefined && answer.phone !== undefined) ||
    (stored.sendId === undefined && answer.sendId !== undefined);
  if (compareEntries(entry, deciding) > 0 || contradicts) return 'changed';
  return addsAddress ? 'completed' : 'known';
}
