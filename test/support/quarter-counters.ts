import {
  addCounters,
  type CountedQuarter,
  type CountedQuarters,
  type Counters,
  type CountersByCountry,
} from '../../functions/automations/delivery-watch/rules/counters.ts';
import {
  type QuarterRange,
  quartersOf,
} from '../../functions/automations/delivery-watch/rules/same-hours.ts';

/** What is different about the messages of a quarter hour. */
export interface QuarterTraits {
  readonly messages?: number;
  /** The share that is delivered. */
  readonly rate?: number;
  /** The median time to delivery. */
  readonly seconds?: number;
  /** The reason of the messages that fail. */
  readonly reason?: string;
}

/** Makes counters of one country: half of the messages take the median time, a quarter each half and twice of it. */
export function quarterCounters({
  messages = 400,
  rate = 0.95,
  seconds = 6,
  reason = 'unreachable',
}: QuarterTraits = {}): Counters {
  const delivered = Math.round(messages * rate);
  const outer = Math.floor(delivered / 4);
  return {
    messages,
    delivered,
    deliveries: [
      { ms: seconds * 500, messages: outer },
      { ms: seconds * 1000, messages: delivered - 2 * outer },
      { ms: seconds * 2000, messages: outer },
    ],
    failures: new Map(messages === delivered ? [] : [[reason, messages - delivered]]),
  };
}

/** Traits by country. */
export type TraitsByCountry = Readonly<Record<string, QuarterTraits>>;

export function countersOf(traits: TraitsByCountry): CountersByCountry {
  return new Map(Object.entries(traits).map(([country, each]) => [country, quarterCounters(each)]));
}

/** Makes a quarter hour of the counters of its sources. */
export function quarterOf(sources: Readonly<Record<string, CountersByCountry>>): CountedQuarter {
  const all = Object.values(sources).flatMap((countries) => [...countries]);
  const countries = new Map(
    [...Map.groupBy(all, ([country]) => country)].map(([country, each]) => [
      country,
      addCounters(each.map(([, counters]) => counters)),
    ]),
  );
  return { countries, sources: new Map(Object.entries(sources)) };
}

/** Makes counters of each quarter hour of ranges, of a pipeline with one source. @param traits of the country in each of them, by index */
export function countedQuarters(
  ranges: readonly QuarterRange[],
  traits: (index: number) => TraitsByCountry,
): CountedQuarters {
  return new Map(
    quartersOf(ranges).map((start, index) => [start, quarterOf({ main: countersOf(traits(index)) })]),
  );
}
