import * as z from 'zod';
import { arnOf } from '../../aws-protocol/call.ts';
import { sendJson } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import type { RunningService } from '../definition/define-service.ts';
import { LogMetrics } from './api.ts';

export function startCloudWatchLogs() {
  const metrics = new LogMetrics();
  return {
    metrics,
    routes: [
      // Answers what the metric filters have counted: `{"counts": {"<namespace>/<name>": 3}}`.
      {
        method: 'GET',
        path: /^\/local\/logs\/metrics$/,
        answer: (_, __, response) => sendJson(response, 200, { counts: metrics.counts }),
      },
    ],
    resources: {
      'AWS::Logs::LogGroup': logGroupCreator,
      'AWS::Logs::MetricFilter': metricFilterCreator(metrics),
    },
  } satisfies RunningService & { metrics: LogMetrics };
}

const logGroupSchema = z.looseObject({ LogGroupName: z.string().optional() });

/** A log group is only a name here: functions log to files. */
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

/** A metric filter counts the lines of a log group that match its pattern. */
export function metricFilterCreator(metrics: LogMetrics): CreateResource {
  return async (request) => {
    const { LogGroupName, FilterPattern, MetricTransformations } = readProperties(
      metricFilterSchema,
      request,
    );
    const [{ MetricNamespace, MetricName }] = MetricTransformations;
    metrics.addFilter(LogGroupName, FilterPattern, `${MetricNamespace}/${MetricName}`);
    return { ref: physicalName(request, 512) };
  };
}
