import * as z from 'zod';
import type { Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { physicalName } from '../../../local/cloudformation/deploy-stack.ts';
import { type Sample, seriesKey } from './metric-samples.ts';

const statisticSchema = z.enum(['Sum', 'Maximum']);
type Statistic = z.output<typeof statisticSchema>;

/** A metric of an alarm. */
interface AlarmMetric {
  /** As {@link seriesKey} gives it. */
  readonly series: string;
  readonly statistic: Statistic;
  readonly periodSeconds: number;
}

/**
 * The highest value that an alarm would see: of each period the statistic over the values in it, summed over the alarm's metrics.
 * Periods begin at whole multiples of their length, as CloudWatch's do; without a value there is no data point.
 *
 * @returns undefined where no period has a value
 */
export function highestDatapoint(
  metrics: readonly AlarmMetric[],
  samplesOf: (series: string) => readonly Pick<Sample, 'at' | 'value'>[],
): number | undefined {
  const totals = new Map<number, number>();
  for (const { series, statistic, periodSeconds } of metrics) {
    const periods = Map.groupBy(samplesOf(series), ({ at }) => Math.floor(at / (periodSeconds * 1000)));
    for (const [period, samples] of periods) {
      const values = samples.map(({ value }) => value);
      const value = statistic === 'Sum' ? values.reduce((sum, one) => sum + one) : Math.max(...values);
      totals.set(period, (totals.get(period) ?? 0) + value);
    }
  }
  return totals.size === 0 ? undefined : Math.max(...totals.values());
}

/** An alarm of the synthesized templates. */
export interface DrillAlarm {
  /** Its construct's ids in the stack, joined, for example `EventsQueueBehind`. */
  readonly id: string;
  /** Summed. None of a composite alarm. */
  readonly metrics: readonly AlarmMetric[];
  /** The ids of the alarms of which one sets off a composite alarm. */
  readonly members: readonly string[];
  readonly threshold: number;
  /** The heading of its page in docs/operate/alarms.md. */
  readonly page: string;
}

/** A function of the templates, as a local run names it. */
export interface DrillFunction {
  readonly label: string;
  readonly name: string;
  /** Folder of its unpacked bundle. */
  readonly codeDirectory: string;
}

const reference = z.union([
  z.string(),
  z.object({ Ref: z.string() }),
  z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('QueueName')]) }),
]);

const metricProperties = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
});
const metricQuery = z.union([
  z.object({ MetricStat: z.object({ Metric: metricProperties, Period: z.number(), Stat: statisticSchema }) }),
  z.object({ Expression: z.string().regex(/^\w+( \+ \w+)*$/) }),
]);
const alarmProperties = z
  .object({ ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'), Threshold: z.number() })
  .and(
    z.union([
      z.object({ Metrics: z.array(metricQuery) }),
      metricProperties.extend({ Period: z.number(), Statistic: statisticSchema }),
    ]),
  );

const functionProperties = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
});

const pagePattern = /RUNBOOK: docs\/operate\/alarms\.md, \\"(.+?)\\"\./;

/** Every alarm of the stacks. @throws ZodError for one that is not as the drill knows them */
export function readAlarms(stacks: readonly Stack[]): DrillAlarm[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources)
      .filter(([, { Type }]) => /^AWS::CloudWatch::(Composite)?Alarm$/.test(Type))
      .map(([logicalId, { Type, Properties }]) => ({
        id: alarmId(logicalId),
        page: pagePattern.exec(JSON.stringify(Properties.AlarmDescription))?.[1] ?? '',
        ...(Type.endsWith('CompositeAlarm')
          ? compositeOf(Properties.AlarmRule)
          : metricsOf(Properties, stack)),
      })),
  );
}

const alarmId = (logicalId: string) => logicalId.replace(/Alarm[0-9A-F]{8}$/, '');

function compositeOf(rule: unknown) {
  const members = [...JSON.stringify(rule).matchAll(/"(\w+)","Arn"/g)].map(([, id = '']) => alarmId(id));
  return { metrics: [], members, threshold: 1 };
}

function metricsOf(properties: unknown, stack: Stack) {
  const alarm = alarmProperties.parse(properties);
  const metric = (of: z.output<typeof metricProperties>, statistic: Statistic, periodSeconds: number) => {
    const dimensions = of.Dimensions.map(({ Name, Value }) => [Name, dimensionValue(Value, stack)]);
    const series = seriesKey(of.Namespace, of.MetricName, Object.fromEntries(dimensions));
    return { series, statistic, periodSeconds };
  };
  const metrics =
    'Metrics' in alarm
      ? alarm.Metrics.flatMap((query) =>
          'Expression' in query
            ? []
            : metric(query.MetricStat.Metric, query.MetricStat.Stat, query.MetricStat.Period),
        )
      : [metric(alarm, alarm.Statistic, alarm.Period)];
  return { metrics, members: [], threshold: alarm.Threshold };
}

/** The functions of ours; CDK's own have no service's name. */
export function readFunctions(stacks: readonly Stack[]): DrillFunction[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(([logicalId, { Type, Properties }]) => {
      const { data } = functionProperties.safeParse(Properties);
      if (Type !== 'AWS::Lambda::Function' || data === undefined) return [];
      const codeDirectory = stack.assets.get(data.Code.S3Key) ?? '';
      const label = data.Environment.Variables.POWERTOOLS_SERVICE_NAME;
      return [{ label, name: nameOf(stack, logicalId, 64), codeDirectory }];
    }),
  );
}

function dimensionValue(value: z.output<typeof reference>, stack: Stack): string {
  if (typeof value === 'string') return value;
  return 'Ref' in value ? nameOf(stack, value.Ref, 64) : nameOf(stack, value['Fn::GetAtt'][0], 80);
}

function nameOf(stack: Stack, logicalId: string, maxLength: number): string {
  return physicalName({ stack, logicalId, type: '', properties: {} }, maxLength);
}
