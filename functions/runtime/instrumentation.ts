import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import type { MiddlewareObj } from '@middy/core';
import type { Log, LogName, logCatalogue } from './log-catalogue.ts';
import { type Count, createTally, metricLine } from './metrics.ts';

// The stack sets these variables. Powertools itself reads the service and the log level of the function.
const { POWERTOOLS_SERVICE_NAME: service = 'unnamed', POWERTOOLS_METRICS_NAMESPACE: namespace } = process.env;
const logger = new Logger();

/** Makes the function that writes some lines of the catalogue. */
export function createLog<Name extends LogName>(lines: Pick<typeof logCatalogue, Name>): Log<Name> {
  return (name, fields = {}) => {
    const { code, level, message } = lines[name];
    logger[level](message, { code, ...fields });
  };
}

const tally = createTally();

export const count: Count = (metric, by = 1) => tally.add(metric, by);

/** Writes one line for an invocation that counted something. It bypasses `console`, whose lines Lambda wraps as text. */
const publishMetrics: MiddlewareObj = { after: publish, onError: publish };

function publish(): void {
  const counted = tally.take();
  if (counted.length > 0 && namespace !== undefined)
    process.stdout.write(`${metricLine({ namespace, service }, counted, Date.now())}\n`);
}

/** Returns the middlewares that every handler shares: the request id in each log line, and metrics at the end of an invocation. */
export function observability() {
  return [injectLambdaContext(logger), publishMetrics];
}
