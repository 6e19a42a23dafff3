import { compareByTime, type Message } from '../functions/core/history/message.ts';
import { outcomeOf } from '../functions/core/statuses.ts';

/**
 * Milliseconds from a message's first report to the one that says it arrived; undefined where none says so, or where
 * that one is the first.
 */
export function deliveryTime(message: Message): number | undefined {
  const reports = [...message.events.values()].sort(compareByTime);
  const [first] = reports;
  const arrival = reports.find(({ rank }) => outcomeOf(rank) === 'success');
  if (first === undefined || arrival === undefined || arrival === first) return undefined;
  return Date.parse(arrival.occurredAt) - Date.parse(first.occurredAt);
}
