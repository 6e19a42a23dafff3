import { withoutNumbers } from '../../functions/base/basics.ts';
import type { Log, LogName } from '../../functions/base/log-catalogue.ts';
import { type Count, lagMetrics, type MetricName } from '../../functions/base/metrics.ts';

/** A logger and a counter that record their input. */
export function recorder() {
  const lines: { readonly name: LogName; readonly fields: Readonly<Record<string, unknown>> }[] = [];
  const counts = new Map<MetricName, number>();
  const log: Log = (name, fields = {}) => {
    lines.push({ name, fields: withoutNumbers(fields) });
  };
  const count: Count = (metric, by = 1) => {
    const known = counts.get(metric) ?? 0;
    counts.set(metric, lagMetrics.includes(metric) ? Math.max(known, by) : known + by);
  };
  return { lines, counts, log, count, text: () => JSON.stringify([lines, [...counts]]) };
}
