import type { CountedQuarters, Counters } from '../../functions/automations/delivery-watch/rules/counters.ts';
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

/** Makes counters of each quarter hour of ranges. @param traits of the country in each of them, by index */
export function countedQuarters(
  ranges: readonly QuarterRange[],
  traits: (index: number) => Readonly<Record<string, QuarterTraits>>,
): CountedQuarters {
  return new Map(
    quartersOf(ranges).map((start, index) => [
      start,
      new Map(Object.entries(traits(index)).map(([country, each]) => [country, quarterCounters(each)])),
    ]),
  );
}
