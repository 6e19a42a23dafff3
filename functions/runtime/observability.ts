import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { MiddlewareObj } from '@middy/core';
import { type Log, logCatalogue } from './log-catalogue.ts';
import { type Count, lagMetrics, metricNames } from './metric-catalogue.ts';
import { createTally } from './tally.ts';

// Both take the service, namespace and level from the POWERTOOLS_* variables the stack sets.
const logger = new Logger();
const metrics = new Metrics();

export const log: Log = (name, fields = {}) => {
  const { code, level, message } = logCatalogue[name];
  logger[level](message, { code, ...fields });
};

const tally = createTally();

export const count: Count = (metric, by = 1) => tally.add(metric, by);

/**
 * One line an invocation. Powertools' own middleware warns about each invocation that counted nothing, which is nearly every one of
 * ingest, and writes a line more for each hundred values of a metric.
 */
const publishMetrics: MiddlewareObj = { after: publish, onError: publish };

function publish(): void {
  for (const [metric, value] of tally.take()) {
    const unit = lagMetrics.includes(metric) ? MetricUnit.Milliseconds : MetricUnit.Count;
    metrics.addMetric(metricNames[metric], unit, value);
  }
  if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
}

/** Middlewares every handler shares: the request id in each log line, and metrics written when it ends. */
export function observability() {
  return [injectLambdaContext(logger), publishMetrics];
}
