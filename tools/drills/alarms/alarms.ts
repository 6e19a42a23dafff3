import * as z from 'zod';
import type { Stack } from '../../../local/cloudformation/cloud-assembly.ts';
import { physicalName } from '../../../local/cloudformation/deploy-stack.ts';
import { type Sample, seriesKey } from './metric-samples.ts';

export type Statistic = 'Sum' | 'Maximum';

/**
 * The highest value that an alarm would see: of each period the statistic over the values in it. Periods begin at whole
 * multiples of their length, as CloudWatch's do; without a value there is no data point.
 *
 * @param samples of the alarm's metric alone
 * @returns undefined where no period has a value
 */
export function highestDatapoint(
  samples: readonly Pick<Sample, 'at' | 'value'>[],
  statistic: Statistic,
  periodSeconds: number,
): number | undefined {
  const periods = new Map<number, number>();
  for (const { at, value } of samples) {
    const period = Math.floor(at / (periodSeconds * 1000));
    const before = periods.get(period);
    if (before === undefined) periods.set(period, value);
    else periods.set(period, statistic === 'Sum' ? before + value : Math.max(before, value));
  }
  return periods.size === 0 ? undefined : Math.max(...periods.values());
}

/** An alarm of the synthesized templates. */
export interface DrillAlarm {
  /** Its construct's ids in the stack, joined, for example `EventsQueueBehind`. */
  readonly id: string;
  readonly metric: string;
  /** As {@link seriesKey} gives it. */
  readonly series: string;
  readonly statistic: Statistic;
  readonly threshold: number;
  readonly periodSeconds: number;
  /** How the heading of its page in docs/runbook.md begins. */
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

const alarmProperties = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: reference })).default([]),
  Statistic: z.enum(['Sum', 'Maximum']),
  ComparisonOperator: z.literal('GreaterThanOrEqualToThreshold'),
  Threshold: z.number(),
  Period: z.number(),
  AlarmDescription: z.string(),
});

const functionProperties = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
});

const pagePattern = /RUNBOOK: docs\/runbook\.md, "(.+)"\.$/;

/** Every alarm of the stacks. @throws ZodError for one that is not as the drill knows them */
export function readAlarms(stacks: readonly Stack[]): DrillAlarm[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([logicalId, { Properties }]) => {
        const alarm = alarmProperties.parse(Properties);
        const dimensions = alarm.Dimensions.map(({ Name, Value }) => [Name, dimensionValue(Value, stack)]);
        return {
          id: logicalId.replace(/Alarm[0-9A-F]{8}$/, ''),
          metric: alarm.MetricName,
          series: seriesKey(alarm.Namespace, alarm.MetricName, Object.fromEntries(dimensions)),
          statistic: alarm.Statistic,
          threshold: alarm.Threshold,
          periodSeconds: alarm.Period,
          page: pagePattern.exec(alarm.AlarmDescription)?.[1] ?? '',
        };
      }),
  );
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
