import { type CounterReads, type Figures, figuresOf, timeOf, withoutNegative } from '../../insights/index.ts';
import { addCounters, type CountedQuarter, type CountedQuarters, type Counters } from './rules/counters.ts';

type QuarterFigures = Awaited<ReturnType<CounterReads['quarters']>>[number];

/** Gathers the counters of quarter hours as the rules of the watch read them. */
export function countedQuarters(all: readonly QuarterFigures[]): CountedQuarters {
  const quarters = new Map<number, CountedQuarter>();
  for (const [start, figures] of Map.groupBy(all, (each) => each.start)) {
    const quarter = countedQuarter(figures);
    if (quarter.countries.size > 0) quarters.set(start, quarter);
  }
  return quarters;
}

function countedQuarter(all: readonly QuarterFigures[]): CountedQuarter {
  const sources = new Map<string, Map<string, Counters>>();
  const ofCountries = new Map<string, Counters[]>();
  for (const { country, source, tally } of all) {
    const figures = figuresOf(withoutNegative(tally));
    // Replies are counted at their own time, which may have no message.
    if (figures.messages === 0) continue;
    const counters = countersOf(figures);
    const ofSource = sources.get(source) ?? new Map<string, Counters>();
    sources.set(source, ofSource.set(country, counters));
    const ofCountry = ofCountries.get(country) ?? [];
    ofCountries.set(country, ofCountry);
    ofCountry.push(counters);
  }
  const countries = new Map([...ofCountries].map(([country, each]) => [country, addCounters(each)]));
  return { countries, sources };
}

function countersOf({ messages, statuses, failures, deliveryTimes }: Figures): Counters {
  const byReason = new Map<string, number>();
  for (const { reason, count } of failures) byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  return {
    messages,
    delivered: (statuses.delivered ?? 0) + (statuses.read ?? 0),
    deliveries: [...deliveryTimes]
      .map(([bucket, count]) => ({ ms: timeOf(bucket), messages: count }))
      .sort((one, other) => one.ms - other.ms),
    failures: byReason,
  };
}
