import { lagMetrics, metricNames } from '../../functions/base/metrics.ts';
import { documentedProperties } from './source-comments.ts';

const comments = new Map(
  documentedProperties('functions/base/metrics.ts')
    .get('metricNames')
    ?.map(({ name, text }) => [name, text]),
);

/** A metric of the functions, as its comment describes it. */
interface CataloguedMetric {
  readonly name: string;
  /** The functions that emit it, separated by commas. */
  readonly services: string;
  readonly meaning: string;
}

/** @throws Error naming a metric without a comment of the form `<functions>: <meaning>.` */
export function metricCatalogue(): CataloguedMetric[] {
  return Object.entries(metricNames).map(([key, name]) => {
    const [, services, meaning] = /^([a-z, -]+): (.+)\.$/.exec(comments.get(key) ?? '') ?? [];
    if (services === undefined || meaning === undefined)
      throw new Error(`functions/base/metrics.ts: ${key} lacks a comment "<functions>: <meaning>."`);
    return { name, services, meaning: isLag(key) ? `${meaning}, in ms` : meaning };
  });
}

/**
 * Writes the metrics of the functions as Markdown lists, one for each function or group of functions. Metrics with the same meaning share a line.
 */
export function metricsReference(): string {
  const groups = [...Map.groupBy(metricCatalogue(), ({ services }) => services)].map(
    ([services, metrics]) => {
      const lines = [...Map.groupBy(metrics, ({ meaning }) => meaning)].map(
        ([meaning, same]) => `- ${same.map(({ name }) => `\`${name}\``).join(', ')}: ${meaning}`,
      );
      return [`**${services}**`, lines.join('\n')].join('\n\n');
    },
  );
  return groups.join('\n\n');
}

function isLag(key: string): boolean {
  return (lagMetrics as readonly string[]).includes(key);
}
