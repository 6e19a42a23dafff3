import type { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as z from 'zod';
import { type DeployedStack, deployedStackReader } from '../../cli/commands/deploy/stacks.ts';
import { until } from '../support/until.ts';

/** What AWS says was used. */
export interface AwsFigures {
  readonly functions: readonly FunctionFigures[];
  /** Of the history table and its indexes. */
  readonly writeUnits: number;
}

export interface FunctionFigures {
  readonly name: string;
  readonly invocations: number;
  readonly billedMs: number;
  /** How long each new instance took to start. */
  readonly coldStartsMs: readonly number[];
}

/** Lambda's line about an invocation in the log format JSON (Lambda Developer Guide, "Working with JSON logs": platform.report). */
const reportLine = z.object({
  type: z.literal('platform.report'),
  record: z.object({
    metrics: z.object({ billedDurationMs: z.number(), initDurationMs: z.number().optional() }),
  }),
});

/** Sums the report lines of a function. Lines of other types are left out. */
export function figuresOf(name: string, lines: readonly string[]): FunctionFigures {
  const reports = lines.flatMap((line) => {
    try {
      return reportLine.safeParse(JSON.parse(line)).data?.record.metrics ?? [];
    } catch {
      return [];
    }
  });
  return {
    name,
    invocations: reports.length,
    billedMs: reports.reduce((sum, { billedDurationMs }) => sum + billedDurationMs, 0),
    coldStartsMs: reports.flatMap(({ initDurationMs }) => initDurationMs ?? []),
  };
}

const functionProperties = z.object({
  LoggingConfig: z.object({ LogGroup: z.object({ Ref: z.string() }) }),
  Environment: z.object({ Variables: z.object({ POWERTOOLS_SERVICE_NAME: z.string() }) }),
});

/** Returns the log group of each function in a stack, by the function's name. */
export function logGroupsIn({
  template,
  resources,
}: Pick<DeployedStack, 'template' | 'resources'>): Map<string, string> {
  const groups = new Map<string, string>();
  for (const { Type, Properties } of Object.values(template?.Resources ?? {})) {
    const properties =
      Type === 'AWS::Lambda::Function' ? functionProperties.safeParse(Properties).data : undefined;
    const group = resources.find(({ logicalId }) => logicalId === properties?.LoggingConfig.LogGroup.Ref);
    if (properties !== undefined && group !== undefined)
      groups.set(properties.Environment.Variables.POWERTOOLS_SERVICE_NAME, group.physicalId);
  }
  return groups;
}

const tableProperties = z.object({
  GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })).min(1),
});

/** Returns the names of the table with indexes in a stack, and of its indexes. */
export function historyTableIn({ template, resources }: Pick<DeployedStack, 'template' | 'resources'>) {
  for (const { logicalId, type, physicalId } of resources) {
    const properties = tableProperties.safeParse(template?.Resources[logicalId]?.Properties).data;
    if (type === 'AWS::DynamoDB::Table' && properties !== undefined)
      return {
        name: physicalId,
        indexes: properties.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
      };
  }
  return undefined;
}

const hourMs = 3_600_000;
/** CloudWatch has a metric some minutes later. It is read until it has not changed for a minute. */
const settlePauseMs = 60_000;

/** Reads what the functions were billed for from their logs, and the write units of the history from CloudWatch. */
export async function readAwsFigures(
  cloudFormation: CloudFormationClient,
  region: string,
  stackNames: readonly string[],
): Promise<AwsFigures> {
  const logs = new CloudWatchLogsClient({ region });
  const cloudWatch = new CloudWatchClient({ region });
  const functions: FunctionFigures[] = [];
  let writeUnits = 0;
  for (const name of stackNames) {
    const stack = await deployedStackReader(cloudFormation)(name);
    if (stack === undefined) continue;
    for (const [label, group] of logGroupsIn(stack))
      functions.push(figuresOf(label, await linesOf(logs, group)));
    const table = historyTableIn(stack);
    if (table !== undefined) writeUnits = await settledUnits(cloudWatch, table);
  }
  return { functions, writeUnits };
}

async function linesOf(client: CloudWatchLogsClient, logGroupName: string): Promise<string[]> {
  const lines: string[] = [];
  const filterPattern = '{ $.type = "platform.report" }';
  for await (const { events = [] } of paginateFilterLogEvents({ client }, { logGroupName, filterPattern }))
    lines.push(...events.flatMap(({ message }) => message ?? []));
  return lines;
}

type Table = NonNullable<ReturnType<typeof historyTableIn>>;

async function settledUnits(client: CloudWatchClient, table: Table): Promise<number> {
  let before = 0;
  let readAt = 0;
  return until(
    'CloudWatch has the write units of the history table',
    async () => {
      if (Date.now() - readAt < settlePauseMs) return undefined;
      readAt = Date.now();
      const units = await writeUnitsOf(client, table);
      const isSettled = units > 0 && units === before;
      before = units;
      return isSettled ? units : undefined;
    },
    15 * 60_000,
  );
}

/** DynamoDB's metric ConsumedWriteCapacityUnits, which an index has apart from its table. */
async function writeUnitsOf(client: CloudWatchClient, { name, indexes }: Table): Promise<number> {
  const dimensions = [[], ...indexes.map((Value) => [{ Name: 'GlobalSecondaryIndexName', Value }])];
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      StartTime: new Date(Date.now() - 6 * hourMs),
      EndTime: new Date(),
      MetricDataQueries: dimensions.map((more, index) => ({
        Id: `units${index}`,
        MetricStat: {
          Metric: {
            Namespace: 'AWS/DynamoDB',
            MetricName: 'ConsumedWriteCapacityUnits',
            Dimensions: [{ Name: 'TableName', Value: name }, ...more],
          },
          Period: 60,
          Stat: 'Sum',
        },
      })),
    }),
  );
  return MetricDataResults.flatMap(({ Values = [] }) => Values).reduce((sum, value) => sum + value, 0);
}
