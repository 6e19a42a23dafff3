import { lagMetrics, type MetricName, metricNames } from './metric-catalogue.ts';

/** Whose metrics they are. */
export interface MetricSource {
  /** The namespace in CloudWatch. */
  readonly namespace: string;
  /** The function's service name, the only dimension. */
  readonly service: string;
}

/**
 * A line of the log that CloudWatch reads metrics from (CloudWatch user guide, "Specification: Embedded metric format").
 *
 * @param values a value a metric; at most 100 of them, which is what one line may hold
 * @param at Unix time in milliseconds
 */
export function metricLine(
  { namespace, service }: MetricSource,
  values: readonly (readonly [MetricName, number])[],
  at: number,
): string {
  const Metrics = values.map(([metric]) => ({
    Name: metricNames[metric],
    Unit: lagMetrics.includes(metric) ? 'Milliseconds' : 'Count',
  }));
  return JSON.stringify({
    _aws: {
      Timestamp: at,
      CloudWatchMetrics: [{ Namespace: namespace, Dimensions: [['service']], Metrics }],
    },
    service,
    ...Object.fromEntries(values.map(([metric, value]) => [metricNames[metric], value])),
  });
}
