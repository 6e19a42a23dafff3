import { z } from 'zod';
import { arnOf } from '../../aws-protocol/call.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/properties.ts';
import type { Runtime } from '../runtime.ts';

const logGroupSchema = z.looseObject({ LogGroupName: z.string().optional() });

/** A log group, in name only: what functions log goes to files. */
export const logGroupCreator: CreateResource = async (request) => {
  const name = readProperties(logGroupSchema, request).LogGroupName ?? physicalName(request, 512);
  return { ref: name, attributes: { Arn: arnOf('logs', `log-group:${name}:*`) } };
};

const metricFilterSchema = z.strictObject({
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
    const { LogGroupName, FilterPattern, MetricTransformations } = readProperties(
      metricFilterSchema,
      request,
    );
    const [{ MetricNamespace, MetricName }] = MetricTransformations;
    runtime.logMetrics.addFilter(LogGroupName, FilterPattern, `${MetricNamespace}/${MetricName}`);
    return { ref: physicalName(request, 512) };
  };
}
