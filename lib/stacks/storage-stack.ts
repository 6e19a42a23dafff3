import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
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
import { historyIndexes } from '../building-blocks/grants.ts';

const text = (name: string) => ({ name, type: AttributeType.STRING });

const retained = {
  billingMode: BillingMode.PAY_PER_REQUEST,
  timeToLiveAttribute: 'expiresAt',
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
  deletionProtection: true,
  removalPolicy: RemovalPolicy.RETAIN,
} satisfies Partial<TableProps>;

/** The resources that must outlive all others: the tables, and the secret that the service signs with. */
export class StorageStack extends Stack {
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly webhookSecret: ISecret;

  constructor(scope: Construct, id: string, props: StackProps = {}) {
    super(scope, id, {
      description: 'SMS pipeline: delivery history, quarantine and webhook secret.',
      terminationProtection: true,
      ...props,
    });

    this.historyTable = new Table(this, 'History', {
      ...retained,
      partitionKey: text('pk'),
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    for (const [indexName, { partition, sort }] of Object.entries(historyIndexes))
      this.historyTable.addGlobalSecondaryIndex({
        indexName,
        partitionKey: text(partition),
        sortKey: text(sort),
        projectionType: ProjectionType.KEYS_ONLY,
      });

    this.quarantineTable = new Table(this, 'Quarantine', {
      ...retained,
      partitionKey: text('pk'),
      sortKey: text('sk'),
    });

    // With the L2 construct CloudFormation would generate a value, and a later change would overwrite the real one.
    const secret = new CfnSecret(this, 'WebhookSecret', {
      description:
        'Signing secrets of the webhook; written by the setup function, and by webhook store-secret.',
    });
    secret.applyRemovalPolicy(RemovalPolicy.RETAIN);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'The SMS service makes this secret and rotates it on request only: a rotation schedule of Secrets Manager has nothing to call.',
    });
    this.webhookSecret = Secret.fromSecretCompleteArn(this, 'ImportedWebhookSecret', secret.ref);

    new CfnOutput(this, 'HistoryTableName', { value: this.historyTable.tableName });
    new CfnOutput(this, 'QuarantineTableName', { value: this.quarantineTable.tableName });
    new CfnOutput(this, 'WebhookSecretId', { value: secret.ref });
  }
}
