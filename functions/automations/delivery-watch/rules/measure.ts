import {
  type Counters,
  type CountersByCountry,
  deliveredWithin,
  rememberByDeliveries,
  slowerThan,
} from './counters.ts';

/** What is watched of a subject. */
export type Signal = 'delivery-rate' | 'time-to-delivery' | 'failure-share' | 'slow-share';

/** One quarter hour of one signal. */
export interface Measured {
  /** A share from 0 to 1, or a time in milliseconds. */
  readonly figure: number;
  /** How far the figure is from the one that is expected of its mix of countries, on a scale on which chance varies all figures alike. */
  readonly value: number;
  /** The variance of `value` by chance alone. */
  readonly variance: number;
  /** The messages that it was computed from. */
  readonly messages: number;
}

/** Fewer messages in a quarter hour give no verdict. */
export const minMessages = 40;

/** Measures the quarter hours of one signal of one subject. */
export interface Measure {
  /** Returns undefined if there are too few messages. */
  of(quarter: CountersByCountry): Measured | undefined;
  /** Returns the figure that has a distance from another one, both on the scale. */
  usual(measured: Measured, distance: number): number;
}

/** A share of the messages of a country. */
interface Share {
  part(counters: Counters): number;
  whole(counters: Counters): number;
  /** What is expected where the past has no messages. */
  readonly withoutPast: number;
}

/**
 * Measures the share of messages with an outcome. The scale is the arcsine of its root, with the correction for small counts: its variance by
 * chance does not depend on the share. F. J. Anscombe, "The transformation of Poisson, binomial and negative-binomial data", Biometrika 35 (1948).
 *
 * @param past the quarter hours that say what is expected of each country
 */
function shareMeasure(share: Share, past: readonly CountersByCountry[]): Measure {
  const expectedOf = expectedShares(share, past);
  return {
    of(quarter) {
      let [messages, found, expected] = [0, 0, 0];
      for (const [country, counters] of quarter) {
        const whole = share.whole(counters);
        messages += whole;
        found += share.part(counters);
        expected += whole * expectedOf(country);
      }
      if (messages < minMessages) return undefined;
      const value = scaledShare(found, messages) - scaledShare(expected, messages);
      return { figure: found / messages, value, variance: 1 / (4 * messages + 2), messages };
    },
    usual: ({ figure }, distance) => {
      const angle = Math.asin(Math.sqrt(figure)) - distance;
      return Math.sin(Math.min(Math.max(angle, 0), Math.PI / 2)) ** 2;
    },
  };
}

function scaledShare(part: number, messages: number): number {
  return Math.asin(Math.sqrt((part + 3 / 8) / (messages + 3 / 4)));
}

function expectedShares({ part, whole, withoutPast }: Share, past: readonly CountersByCountry[]) {
  const sums = new Map<string, { part: number; messages: number }>();
  const all = { part: 0, messages: 0 };
  for (const [country, counters] of past.flatMap((quarter) => [...quarter])) {
    const sum = sums.get(country) ?? { part: 0, messages: 0 };
    sums.set(country, sum);
    for (const each of [sum, all]) {
      each.part += part(counters);
      each.messages += whole(counters);
    }
  }
  return (country: string): number => {
    const sum = sums.get(country);
    const { part: found, messages } = sum !== undefined && sum.messages >= minMessages ? sum : all;
    return messages === 0 ? withoutPast : found / messages;
  };
}

/** Half of the distance between the quartiles of a normal distribution, in standard deviations. */
const quartile = 0.6745;

/** The deviation of the logarithm of delivery times is assumed to be at least this, because a bucket hides smaller ones. */
const minDeviation = 0.1;

interface LogMedian {
  readonly value: number;
  readonly variance: number;
  readonly messages: number;
}

/** Fewer deliveries of a country have no median that is worth its place in the mean of all countries. */
const minDeliveries = 20;

/**
 * Measures the time to delivery: the mean of the countries' medians of its logarithm, by messages. On a logarithm a factor is a distance. The
 * variance is that of the median of a normal distribution, π/2 · σ²/n, with σ from the distance of the quartiles.
 *
 * @param horizonMs milliseconds from the first report, after which deliveries are left out
 */
function timeMeasure(horizonMs: number, past: readonly CountersByCountry[]): Measure {
  const sums = new Map<string, { value: number; messages: number }>();
  for (const [country, counters] of past.flatMap((quarter) => [...quarter])) {
    const median = logMedian(counters.deliveries, horizonMs);
    if (median === undefined) continue;
    const sum = sums.get(country) ?? { value: 0, messages: 0 };
    sums.set(country, sum);
    sum.value += median.value * median.messages;
    sum.messages += median.messages;
  }
  return {
    of(quarter) {
      let [messages, value, variance, figure] = [0, 0, 0, 0];
      for (const [country, counters] of quarter) {
        const median = logMedian(counters.deliveries, horizonMs);
        const sum = sums.get(country);
        if (median === undefined || sum === undefined) continue;
        messages += median.messages;
        figure += median.messages * median.value;
        value += median.messages * (median.value - sum.value / sum.messages);
        variance += median.messages ** 2 * median.variance;
      }
      if (messages < minMessages) return undefined;
      return {
        figure: Math.exp(figure / messages),
        value: value / messages,
        variance: variance / messages ** 2,
        messages,
      };
    },
    usual: ({ figure }, distance) => figure * Math.exp(-distance),
  };
}

const logMedian = rememberByDeliveries((deliveries, horizonMs): LogMedian | undefined => {
  const buckets = deliveries.filter(({ ms }) => ms <= horizonMs);
  const messages = buckets.reduce((sum, bucket) => sum + bucket.messages, 0);
  if (messages < minDeliveries) return undefined;
  const at = (share: number) => {
    let passed = 0;
    const found = buckets.find((bucket) => {
      passed += bucket.messages;
      return passed >= share * messages;
    });
    // A delivery in the millisecond of the first report has no logarithm.
    return Math.max(found?.ms ?? 0, 1);
  };
  const deviation = Math.max(Math.log(at(0.75) / at(0.25)) / 2 / quartile, minDeviation);
  return { value: Math.log(at(0.5)), variance: ((Math.PI / 2) * deviation ** 2) / messages, messages };
});

const messagesOf = ({ messages }: Counters) => messages;

/** Measures the messages that were delivered within the horizon. @param horizonMs milliseconds from the first report */
export function measureOf(
  signal: 'delivery-rate' | 'time-to-delivery' | { readonly reason: string },
  horizonMs: number,
  past: readonly CountersByCountry[],
): Measure {
  if (signal === 'time-to-delivery') return timeMeasure(horizonMs, past);
  const part = (counters: Counters) =>
    signal === 'delivery-rate'
      ? deliveredWithin(counters, horizonMs)
      : (counters.failures.get(signal.reason) ?? 0);
  return shareMeasure({ part, whole: messagesOf, withoutPast: 0 }, past);
}

/**
 * Measures the share of slow messages among those that did not fail.
 *
 * @param slowMs a slow message takes longer, milliseconds from the first report; all messages are older
 * @param past the quarter hours that say what is expected of each country
 * @param withoutPast the share that is expected without them
 */
export function slowMeasure(
  slowMs: number,
  past: readonly CountersByCountry[],
  withoutPast: number,
): Measure {
  const part = (counters: Counters) => slowerThan(counters, slowMs).slow;
  const whole = (counters: Counters) => slowerThan(counters, slowMs).all;
  return shareMeasure({ part, whole, withoutPast }, past);
}
