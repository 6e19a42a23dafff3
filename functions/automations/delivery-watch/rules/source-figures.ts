import {
  addCounters,
  type CountedQuarters,
  type Counters,
  deliveredWithin,
  quarterMs,
  slowerThan,
} from './counters.ts';
import { horizonsMs } from './same-hours.ts';
import { slowMs } from './slow-share.ts';

/** What one source had in a quarter hour, for a reader who compares sources. */
export interface FiguresOfSource {
  readonly source: string;
  readonly messages: number;
  /** The share that was delivered within the horizon of the quarter hour. */
  readonly deliveryRate: number;
  /** The share of slow messages among those that did not fail; undefined if messages may be too young to be slow, or all failed. */
  readonly slowShare: number | undefined;
  /** The median time to delivery, milliseconds; undefined without deliveries. */
  readonly medianDeliveryMs: number | undefined;
}

/**
 * Returns the figures of each source that has messages in a quarter hour.
 *
 * @param start of the quarter hour
 * @param newest the start of the newest quarter hour that is due, which says how old the messages are
 */
export function figuresOfSources(
  counted: CountedQuarters,
  start: number,
  newest: number,
): readonly FiguresOfSource[] {
  const horizonMs = horizonsMs[(newest - start) / quarterMs] ?? 0;
  return [...(counted.get(start)?.sources ?? [])]
    .map(([source, countries]) => {
      const counters = addCounters([...countries.values()]);
      const { slow, all } = slowerThan(counters, slowMs);
      return {
        source,
        messages: counters.messages,
        deliveryRate: deliveredWithin(counters, horizonMs) / counters.messages,
        slowShare: horizonMs < slowMs || all === 0 ? undefined : slow / all,
        medianDeliveryMs: medianWithin(counters.deliveries, horizonMs),
      };
    })
    .sort((one, other) => (one.source < other.source ? -1 : 1));
}

function medianWithin(deliveries: Counters['deliveries'], horizonMs: number): number | undefined {
  const within = deliveries.filter(({ ms }) => ms <= horizonMs);
  const half = within.reduce((sum, { messages }) => sum + messages, 0) / 2;
  let passed = 0;
  return within.find(({ messages }) => {
    passed += messages;
    return passed >= half;
  })?.ms;
}
