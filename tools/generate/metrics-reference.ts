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
  readonly unit: 'count' | 'milliseconds';
}

/** @throws Error naming a metric without a comment of the form `<functions>: <meaning>.` */
export function metricCatalogue(): CataloguedMetric[] {
  return Object.entries(metricNames).map(([key, name]) => {
    const [, services, meaning] = /^([a-z, -]+): (.+)\.$/.exec(comments.get(key) ?? '') ?? [];
    if (services === undefined || meaning === undefined)
      throw new Error(`functions/base/metrics.ts: ${key} lacks a comment "<functions>: <meaning>."`);
    return { name, services, meaning, unit: isLag(key) ? 'milliseconds' : 'count' };
  });
}

/**
 * Writes the metrics of the functions as Markdown tables, one for each function or group of functions. Metrics with the same meaning share a
 * row.
 */
export function metricsReference(): string {
  const head = ['| metric | unit | what it counts or measures |', '|---|---|---|'];
  return [...Map.groupBy(metricCatalogue(), ({ services }) => services)]
    .map(([services, metrics]) => {
      const rows = [...Map.groupBy(metrics, ({ meaning }) => meaning)].map(([meaning, same]) => {
        const names = same.map(({ name }) => `\`${name}\``).join(', ');
        return `| ${names} | ${same[0]?.unit} | ${meaning} |`;
      });
      return [`### ${services}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}

function isLag(key: string): boolean {
  return (lagMetrics as readonly string[]).includes(key);
}
