import * as z from 'zod';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { rateIntervalMs } from '../../../local/services/event-bridge/schedule.ts';

const functionProperties = z.looseObject({
  MemorySize: z.number().default(128),
  Environment: z
    .looseObject({ Variables: z.record(z.string(), z.unknown()).default({}) })
    .default({ Variables: {} }),
  LoggingConfig: z.looseObject({ SystemLogLevel: z.string().default('INFO') }).prefault({}),
});
const mappingProperties = z.looseObject({
  FunctionName: z.looseObject({ Ref: z.string().optional() }).or(z.string()),
  BatchSize: z.number().optional(),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  ParallelizationFactor: z.number().optional(),
  StartingPosition: z.string().optional(),
});
const ruleProperties = z.looseObject({ ScheduleExpression: z.string().optional() });
const alarmProperties = z.looseObject({
  // An alarm without a list has one metric. An expression is none.
  Metrics: z
    .array(z.looseObject({ MetricStat: z.unknown().optional() }))
    .default([{ MetricStat: {} }])
    .transform((queries) => queries.filter(({ MetricStat }) => MetricStat !== undefined)),
});
const stageProperties = z.looseObject({
  AccessLogSettings: z.looseObject({ Format: z.string() }).optional(),
});

/** How an event source mapping gathers batches. */
export interface Batching {
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** Batches of a stream's shard at once. */
  readonly parallelism: number;
}

/** The facts of the deployed templates that affect the cost. */
export interface TemplateFacts {
  /** MiB, by the function's service name. */
  readonly memory: Readonly<Record<string, number>>;
  readonly systemLogLevel: string;
  /** The format of a line of the API's access log; empty without an access log. */
  readonly accessLogFormat: string;
  readonly worker: Batching;
  readonly publisher: Batching;
  /** Undefined where nothing is counted. */
  readonly insights: Batching | undefined;
  /** Queues that Lambda polls. */
  readonly polledQueues: number;
  /** The metrics of all alarms, by which alarms are billed. */
  readonly alarms: number;
  readonly compositeAlarms: number;
  readonly dashboards: number;
  /** The stacks' own; the API key's is made by hand. */
  readonly secrets: number;
  readonly archives: number;
  /** The invocations of all schedules, in a month of 730 hours. */
  readonly scheduledRunsPerMonth: number;
}

const monthMs = 730 * 3600 * 1000;
const dayMs = 24 * 3600 * 1000;

/** @param directory a cloud assembly */
export function templateFacts(directory: string): TemplateFacts {
  const named = readCloudAssembly(directory).flatMap(({ template }) => Object.entries(template.Resources));
  const resources = named.map(([, resource]) => resource);
  const ofType = (type: string) =>
    resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const functions = ofType('AWS::Lambda::Function')
    .map((properties) => functionProperties.parse(properties))
    .filter(({ Environment }) => Environment.Variables.POWERTOOLS_SERVICE_NAME !== undefined);
  const mappings = ofType('AWS::Lambda::EventSourceMapping').map((mapping) =>
    mappingProperties.parse(mapping),
  );
  const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
  const queues = mappings.filter(({ StartingPosition }) => StartingPosition === undefined);
  const isOf = (service: string) => (mapping: Mapping) =>
    named.some(
      ([id, { Type, Properties }]) =>
        Type === 'AWS::Lambda::Function' &&
        typeof mapping.FunctionName === 'object' &&
        id === mapping.FunctionName.Ref &&
        functionProperties.parse(Properties).Environment.Variables.POWERTOOLS_SERVICE_NAME === service,
    );
  const counting = streams.find(isOf('insights'));
  const [logging] = functions.map(({ LoggingConfig }) => LoggingConfig);
  const [stage] = ofType('AWS::ApiGatewayV2::Stage').map((properties) => stageProperties.parse(properties));
  return {
    memory: Object.fromEntries(
      functions.map(({ MemorySize, Environment }) => [
        String(Environment.Variables.POWERTOOLS_SERVICE_NAME),
        MemorySize,
      ]),
    ),
    systemLogLevel: logging?.SystemLogLevel ?? 'INFO',
    accessLogFormat: stage?.AccessLogSettings?.Format ?? '',
    worker: batchingOf(queues.find(isOf('worker'))),
    publisher: batchingOf(streams.find(isOf('publisher'))),
    insights: counting && batchingOf(counting),
    polledQueues: queues.length,
    alarms: ofType('AWS::CloudWatch::Alarm').flatMap(
      (properties) => alarmProperties.parse(properties).Metrics,
    ).length,
    compositeAlarms: ofType('AWS::CloudWatch::CompositeAlarm').length,
    dashboards: ofType('AWS::CloudWatch::Dashboard').length,
    secrets: ofType('AWS::SecretsManager::Secret').length,
    archives: ofType('AWS::Events::Archive').length,
    scheduledRunsPerMonth: ofType('AWS::Events::Rule')
      .flatMap((properties) => ruleProperties.parse(properties).ScheduleExpression ?? [])
      // A cron expression here means once a day.
      .reduce((sum, expression) => sum + monthMs / (rateIntervalMs(expression) ?? dayMs), 0),
  };
}

type Mapping = z.output<typeof mappingProperties>;

function batchingOf(mapping: Mapping | undefined): Batching {
  return {
    batchSize: mapping?.BatchSize ?? 10,
    windowSeconds: mapping?.MaximumBatchingWindowInSeconds ?? 0,
    parallelism: mapping?.ParallelizationFactor ?? 1,
  };
}
