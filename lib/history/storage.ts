import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { historyIndexes } from '../../functions/history/index.ts';
import { sendTimeIndex } from '../../functions/insights/index.ts';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';
import { StaleSweepFunction } from './stale-sweep.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * With RETAIN_ON_UPDATE_OR_DELETE, CloudFormation would also try to delete the tables of a first deployment that failed. It cannot: "the
 * table cannot be deleted by any user or process" (DeletionProtectionEnabled, AWS::DynamoDB::Table), so the rollback would fail too.
 */
const retained = {
  deletionProtection: true,
  removalPolicy: RemovalPolicy.RETAIN,
} satisfies Partial<TableProps>;

/** The tables, which must outlive all other resources. */
export interface Tables {
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  /** Counters of insights. It is there, and empty, if insights are off. */
  readonly insightsTable: Table;
}

export interface Storage extends Tables {
  /** Marks stale messages. */
  readonly sweep: StaleSweepFunction;
}

/** Adds the tables, and what sweeps the history table. */
export function addStorage(scope: Construct, options: PipelineOptions): Storage {
  const tables = addTables(scope, options);
  const sweep = new StaleSweepFunction(scope, 'Sweep', { options, historyTable: tables.historyTable });
  addOutput(scope, options, 'HistoryTableName', tables.historyTable.tableName);
  addOutput(scope, options, 'QuarantineTableName', tables.quarantineTable.tableName);
  addOutput(scope, options, 'InsightsTableName', tables.insightsTable.tableName);
  addOutput(scope, options, 'SweepFunctionName', sweep.function.functionName);
  addOutput(scope, options, 'RetentionDays', envNumber(options.retention.toDays()));
  addOutput(scope, options, 'ListShards', envNumber(options.listShards));
  if (options.optOutsBySource) addOutput(scope, options, 'OptOutsBySource', 'on');
  return { ...tables, sweep };
}

export function addTables(
  scope: Construct,
  options: Pick<PipelineOptions, 'removalPolicy' | 'tables'>,
): Tables {
  const { historyClass, recovery } = options.tables;
  const recoveryDays = recovery.toDays();
  const isRetained = options.removalPolicy === RemovalPolicy.RETAIN;
  const table = {
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: 'expiresAt',
    ...(isRetained ? retained : { deletionProtection: false, removalPolicy: options.removalPolicy }),
  };
  // Written down even if it is off or the default, because DynamoDB keeps what a template leaves out.
  const kept = {
    ...table,
    pointInTimeRecoverySpecification:
      recoveryDays === 0
        ? { pointInTimeRecoveryEnabled: false }
        : { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: recoveryDays },
  };
  const historyTable = new Table(scope, 'History', {
    ...kept,
    tableClass: historyClass,
    partitionKey: text('pk'),
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
  });
  for (const [indexName, { partition, sort, repeats }] of Object.entries(historyIndexes))
    historyTable.addGlobalSecondaryIndex({
      indexName,
      partitionKey: text(partition),
      sortKey: text(sort),
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...repeats],
    });

  const quarantineTable = new Table(scope, 'Quarantine', {
    ...kept,
    partitionKey: text('pk'),
    sortKey: text('sk'),
  });

  const insightsTable = new Table(scope, 'Insights', {
    ...table,
    partitionKey: text('pk'),
    sortKey: text('sk'),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false },
  });
  insightsTable.addGlobalSecondaryIndex({
    indexName: sendTimeIndex,
    partitionKey: text('listName'),
    sortKey: text('firstReportAt'),
    projectionType: ProjectionType.KEYS_ONLY,
  });
  Validations.of(insightsTable).acknowledge({
    id: 'AwsSolutions-DDB3',
    reason: 'Holds figures that follow from the history table, which has point-in-time recovery.',
  });

  if (recoveryDays === 0)
    for (const kind of [historyTable, quarantineTable])
      Validations.of(kind).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'tables.recovery is 0: the operator has switched backups off.',
      });

  return { historyTable, quarantineTable, insightsTable };
}
