import { lagMetrics, type MetricName } from './metric-catalogue.ts';

/** What one invocation counted: one value a metric, however often it was counted, so that it fits into one line of the log. */
export interface Tally {
  /** Adds to a count, or raises a lag. */
  add(metric: MetricName, value: number): void;
  /** What was counted, without zeros, and begins anew. */
  take(): readonly (readonly [MetricName, number])[];
}

export function createTally(): Tally {
  const values = new Map<MetricName, number>();
  return {
    add: (metric, value) => {
      const known = values.get(metric) ?? 0;
      // No lag is below zero: the clock of whoever sent an event may be ahead.
      values.set(metric, lagMetrics.includes(metric) ? Math.max(known, value) : known + value);
    },
    take: () => {
      const taken = [...values].filter(([metric, value]) => value !== 0 || lagMetrics.includes(metric));
      values.clear();
      return taken;
    },
  };
}
