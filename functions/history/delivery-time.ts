import { outcomeOf } from '../../contract/schema/sms-event.ts';
import { compareByTime, type Message, staleEventId } from './message.ts';

/**
 * Returns the milliseconds from a message's first report to its delivery; undefined without a delivery after the first report. Answers of
 * lookups do not count, because many services show when they changed a message, and not when it was delivered. Rows of an import count
 * only without a report of the webhook, because many exports show when a message was sent.
 */
export function deliveryTime(message: Message): number | undefined {
  const ordered = [...message.events.values()].sort(compareByTime);
  const received = ordered.filter(({ origin, eventId }) => origin === undefined && eventId !== staleEventId);
  const reports = received.length > 0 ? received : ordered.filter(({ origin }) => origin === 'import');
  const [first] = reports;
  const arrival = reports.find(({ rank }) => outcomeOf(rank) === 'success');
  if (first === undefined || arrival === undefined || arrival === first) return undefined;
  return Date.parse(arrival.occurredAt) - Date.parse(first.occurredAt);
}
