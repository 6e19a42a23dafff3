import { z } from 'zod';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { inert, readProperties } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  LogGroupName: z.string(),
  FilterName: inert,
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.strictObject({
      MetricNamespace: z.string(),
      MetricName: z.string(),
      MetricValue: z.literal('1'),
    }),
  ]),
});

/** A metric filter, which counts the lines of a log group that fit its pattern. */
export function metricFilterCreator(runtime: Pick<Runtime, 'logMetrics'>): CreateResource {
  return async (request) => {
    const { LogGroupName, FilterPattern, MetricTransformations } = readProperties(schema, request);
    const [{ MetricNamespace, MetricName }] = MetricTransformations;
    runtime.logMetrics.addFilter(LogGroupName, FilterPattern, `${MetricNamespace}/${MetricName}`);
    return { ref: physicalName(request, 512) };
  };
}
