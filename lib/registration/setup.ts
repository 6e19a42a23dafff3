import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { envNumber, onOrOff } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import { addQueueSource } from '../building-blocks/queues.ts';
import type { PipelineOptions } from '../options/options.ts';
import { visibilityTimeoutSeconds } from '../options/queue-timing.ts';
import { SetupFunction, type SetupFunctionProps, setupTimeoutSeconds } from './setup-function.ts';

/** The setup function of a source, and what it shares with the path of the source's reports. */
export interface Setup {
  readonly setup: SetupFunction;
  /** Ingest reports signature mismatches in it. */
  readonly signalsQueue: Queue;
  readonly webhookStateTable: Table;
  /** The source signs its requests with it. */
  readonly webhookSecret: ISecret;
}

/** Adds the setup function with its secret, its state and its signals. {@link addRegistration} comes after the path of the reports. */
export function addSetup(
  scope: Construct,
  options: PipelineOptions,
  { eventBus, webhookUrl }: Pick<SetupFunctionProps, 'eventBus' | 'webhookUrl'>,
): Setup {
  const webhookSecret = addWebhookSecret(scope, options);
  const webhookStateTable = addWebhookStateTable(scope);
  const setup = new SetupFunction(scope, 'Setup', {
    options,
    webhookSecret,
    webhookStateTable,
    eventBus,
    webhookUrl,
  });
  addOutput(scope, options, 'SetupFunctionName', setup.function.functionName);
  addOutput(scope, options, 'WebhookStateTableName', webhookStateTable.tableName);
  addOutput(scope, options, 'Registration', onOrOff(options.registration));
  addOutput(scope, options, 'SecretOverlapHours', envNumber(options.webhook.secretOverlap.toHours()));
  return { setup, signalsQueue: addSignalsQueue(scope, setup), webhookStateTable, webhookSecret };
}

/** Adds the secret that a source signs its requests with. */
function addWebhookSecret(
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
  const imported = Secret.fromSecretCompleteArn(scope, 'ImportedWebhookSecret', secret.ref);
  // Where a user of the CDK looks for the resource.
  imported.node.defaultChild = secret;
  return imported;
}

/**
 * Adds the table that keeps the webhook's state, except its secret (functions/registration/webhook-state-store.ts): one item, and one for
 * each minute with signature mismatches. It is deleted with its stack, as the webhook's address is.
 */
function addWebhookStateTable(scope: Construct): Table {
  const table = new Table(scope, 'WebhookState', {
    billingMode: BillingMode.PAY_PER_REQUEST,
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expiresAt',
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(table).acknowledge({
    id: 'AwsSolutions-DDB3',
    reason:
      'Holds no event and nothing that cannot be restored: the next run of reconcile registers again, and writes it. An older state would mislead.',
  });
  return table;
}

/** No window: while a secret that was rotated elsewhere is unknown, every second costs events. */
const batchWindowSeconds = 0;

/**
 * Adds the queue in which ingest reports signature mismatches to setup. A signal is processed once: a failed one stays hidden for
 * longer than it is kept, because the schedule asks the service within minutes anyway.
 */
function addSignalsQueue(scope: Construct, setup: SetupFunction): Queue {
  const queue = new Queue(scope, 'Signals', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.minutes(5),
    visibilityTimeout: Duration.seconds(visibilityTimeoutSeconds(setupTimeoutSeconds, batchWindowSeconds)),
  });
  addQueueSource(setup.function, queue, {
    batchSize: 10,
    maxBatchingWindow: Duration.seconds(batchWindowSeconds),
    // The minimum of Lambda. Two runs at once do no harm: the rotation protocol is made for it.
    maxConcurrency: 2,
  });
  const reason =
    'A signal is worthless after minutes: reconcile also runs on a schedule and asks the service itself, with or without signals.';
  Validations.of(queue).acknowledge(
    { id: 'AwsSolutions-SQS3', reason },
    { id: 'Serverless-SQSRedrivePolicy', reason },
  );
  Validations.of(setup.function).acknowledge({
    id: 'Serverless-LambdaEventSourceMappingDestination',
    reason,
  });
  return queue;
}
