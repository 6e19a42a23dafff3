import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import type { MiddlewareObj } from '@middy/core';
import type { Log, LogName, logCatalogue } from './log-catalogue.ts';
import { type Count, createTally, metricLine } from './metrics.ts';

// The variables the stack sets; Powertools reads the service itself, and the level that Lambda gives.
const { POWERTOOLS_SERVICE_NAME: service = 'unnamed', POWERTOOLS_METRICS_NAMESPACE: namespace } = process.env;
const logger = new Logger();

/** Makes what writes the lines of a part of the catalogue. */
export function createLog<Name extends LogName>(lines: Pick<typeof logCatalogue, Name>): Log<Name> {
  return (name, fields = {}) => {
    const { code, level, message } = lines[name];
    logger[level](message, { code, ...fields });
  };
}

const tally = createTally();

export const count: Count = (metric, by = 1) => tally.add(metric, by);

/** One line an invocation, if it counted anything; not by console, of whose lines Lambda makes a text in a line of its own. */
const publishMetrics: MiddlewareObj = { after: publish, onError: publish };

function publish(): void {
  const counted = tally.take();
  if (counted.length > 0 && namespace !== undefined)
    process.stdout.write(`${metricLine({ namespace, service }, counted, Date.now())}\n`);
}

/** Middlewares every handler shares: the request id in each log line, and metrics written when it ends. */
export function observability() {
  return [injectLambdaContext(logger), publishMetrics];
}
