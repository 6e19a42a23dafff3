import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { historyIndexes } from '../../functions/history/index.ts';
import { sendTimeIndex } from '../../functions/insights/index.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../options/options.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

/**
 * With RETAIN_ON_UPDATE_OR_DELETE, CloudFormation would also try to delete the tables of a first deployment that failed. It cannot: "the
 * table cannot be deleted by any user or process" (DeletionProtectionEnabled, AWS::DynamoDB::Table), so the rollback would fail too.
 */
const retained = {
  deletionProtection: true,
  removalPolicy: RemovalPolicy.RETAIN,
} satisfies Partial<TableProps>;

/** The resources that must outlive all others: the tables, and the secret that the service signs with. */
export interface Storage {
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  /** Counters of insights. It is there, and empty, if insights are off. */
  readonly insightsTable: Table;
  readonly webhookSecret: ISecret;
}

export function addStorage(
  scope: Construct,
  options: Pick<PipelineOptions, 'outputsBelow' | 'removalPolicy' | 'tables'>,
): Storage {
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

  const webhookSecret = addWebhookSecret(scope, options);

  if (recoveryDays === 0)
    for (const kind of [historyTable, quarantineTable])
      Validations.of(kind).acknowledge({
        id: 'AwsSolutions-DDB3',
        reason: 'tables.recovery is 0: the operator has switched backups off.',
      });

  addOutput(scope, options, 'HistoryTableName', historyTable.tableName);
  addOutput(scope, options, 'QuarantineTableName', quarantineTable.tableName);
  addOutput(scope, options, 'InsightsTableName', insightsTable.tableName);
  return {
    historyTable,
    quarantineTable,
    insightsTable,
    webhookSecret,
  };
}

/** Adds the secret that a source signs its requests with. */
export function addWebhookSecret(
  scope: Construct,
  options: Pick<PipelineOptions, 'outputsBelow' | 'removalPolicy'>,
): ISecret {
  // With the L2 construct CloudFormation would generate a value, and a later change would overwrite the real one.
  const secret = new CfnSecret(scope, 'WebhookSecret', {
    description:
      'Signing secrets of the webhook; written by the setup function, and by webhook store-secret.',
  });
  const { removalPolicy } = options;
  secret.applyRemovalPolicy(
    removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy,
  );
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason:
      'The SMS service makes this secret and rotates it on request only: a rotation schedule of Secrets Manager has nothing to call.',
  });
  addOutput(scope, options, 'WebhookSecretId', secret.ref);
  return Secret.fromSecretCompleteArn(scope, 'ImportedWebhookSecret', secret.ref);
}
