import { addTallies, type CounterReads, figuresOf, timeOf, withoutNegative } from '../../insights/index.ts';
import type { CountedQuarters, Counters } from './rules/counters.ts';

type QuarterFigures = Awaited<ReturnType<CounterReads['quarters']>>[number];

/** Gathers the counters of quarter hours as the rules of the watch read them. */
export function countedQuarters(all: readonly QuarterFigures[]): CountedQuarters {
  const quarters = new Map<number, Map<string, Counters>>();
  const places = Map.groupBy(all, ({ start, country }) => `${start} ${country}`);
  for (const ofSources of places.values()) {
    const [one] = ofSources;
    if (one === undefined) continue;
    const { start, country } = one;
    const tally = addTallies(...ofSources.map((part) => withoutNegative(part.tally)));
    const { messages, statuses, failures, deliveryTimes } = figuresOf(tally);
    // Replies are counted at their own time, which may have no message.
    if (messages === 0) continue;
    const quarter = quarters.get(start) ?? new Map<string, Counters>();
    quarters.set(start, quarter);
    const byReason = new Map<string, number>();
    for (const { reason, count } of failures) byReason.set(reason, (byReason.get(reason) ?? 0) + count);
    quarter.set(country, {
      messages,
      delivered: (statuses.delivered ?? 0) + (statuses.read ?? 0),
      deliveries: [...deliveryTimes]
        .map(([bucket, count]) => ({ ms: timeOf(bucket), messages: count }))
        .sort((one, other) => one.ms - other.ms),
      failures: byReason,
    });
  }
  return quarters;
}
