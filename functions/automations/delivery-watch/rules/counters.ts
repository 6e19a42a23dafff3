/** A quarter of an hour, in milliseconds. */
export const quarterMs = 15 * 60_000;

/** Delivered messages that took about so long. */
interface DeliveryBucket {
  /** From the first report to the delivery, milliseconds. */
  readonly ms: number;
  readonly messages: number;
}

/** Counts the messages that were first reported in one quarter hour, by what is known of them now. */
export interface Counters {
  readonly messages: number;
  readonly delivered: number;
  /** The delivered messages by time, ascending. A message without another report than its delivery has no time. */
  readonly deliveries: readonly DeliveryBucket[];
  /** Failed messages by error reason. */
  readonly failures: ReadonlyMap<string, number>;
}

/** Counters of one quarter hour by country, an ISO 3166 code. */
export type CountersByCountry = ReadonlyMap<string, Counters>;

/** The counters of one quarter hour. */
export interface CountedQuarter {
  /** The messages of all sources. */
  readonly countries: CountersByCountry;
  /** The messages of each source that has any. */
  readonly sources: ReadonlyMap<string, CountersByCountry>;
}

/** Counted quarter hours by their start, milliseconds since the epoch. A quarter hour without messages may be missing. */
export type CountedQuarters = ReadonlyMap<number, CountedQuarter>;

/** Adds all counters of several sources or countries. */
export function addCounters(all: readonly Counters[]): Counters {
  const [one, ...others] = all;
  if (one !== undefined && others.length === 0) return one;
  const byTime = new Map<number, number>();
  const failures = new Map<string, number>();
  for (const counters of all) {
    for (const { ms, messages } of counters.deliveries) byTime.set(ms, (byTime.get(ms) ?? 0) + messages);
    for (const [reason, count] of counters.failures)
      failures.set(reason, (failures.get(reason) ?? 0) + count);
  }
  return {
    ...sumCounters(all),
    deliveries: [...byTime]
      .map(([ms, messages]) => ({ ms, messages }))
      .sort((earlier, later) => earlier.ms - later.ms),
    failures,
  };
}

/** Adds messages and deliveries of countries. */
export function sumCounters(all: Iterable<Counters>): Pick<Counters, 'messages' | 'delivered'> {
  const sum = { messages: 0, delivered: 0 };
  for (const { messages, delivered } of all) {
    sum.messages += messages;
    sum.delivered += delivered;
  }
  return sum;
}

/**
 * Returns how many messages were delivered within a time. A message of which the delivery is the only report counts.
 *
 * @param ms milliseconds
 */
export function deliveredWithin({ delivered, deliveries }: Counters, ms: number): number {
  return delivered - lateOf(deliveries, ms);
}

/**
 * Counts the messages that did not fail, and the slow ones among them: they took longer to be delivered, or are not delivered.
 *
 * @param ms milliseconds
 */
export function slowerThan(counters: Counters, ms: number): { readonly slow: number; readonly all: number } {
  const failed = [...counters.failures.values()].reduce((sum, count) => sum + count, 0);
  // A correction of counters may leave more failures or deliveries than messages for a moment.
  const all = Math.max(counters.messages - failed, 0);
  return { slow: all - Math.min(Math.max(deliveredWithin(counters, ms), 0), all), all };
}

const lateOf = rememberByDeliveries((deliveries, ms) =>
  deliveries.reduce((sum, bucket) => (bucket.ms > ms ? sum + bucket.messages : sum), 0),
);

/** Remembers what is computed from deliveries: a quarter hour of the past is compared with many others. */
export function rememberByDeliveries<T>(
  compute: (deliveries: Counters['deliveries'], ms: number) => T,
): (deliveries: Counters['deliveries'], ms: number) => T {
  const known = new WeakMap<Counters['deliveries'], Map<number, { readonly value: T }>>();
  return (deliveries, ms) => {
    const byTime = known.get(deliveries) ?? new Map<number, { readonly value: T }>();
    known.set(deliveries, byTime);
    const found = byTime.get(ms) ?? { value: compute(deliveries, ms) };
    byTime.set(ms, found);
    return found.value;
  };
}
