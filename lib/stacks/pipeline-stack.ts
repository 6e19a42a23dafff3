import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { CustomDomain } from '../api/api-domain.ts';
import { PipelineApi } from '../api/pipeline-api.ts';
import { functionDefaults } from '../building-blocks/lambda-function.ts';
import { IngestFunction, webhookPath } from '../ingest/ingest-function.ts';
import { PipelineDashboard } from '../operate/dashboard.ts';
import { QueryFunction } from '../query/query-function.ts';
import { MismatchSignals, registrationTimeout, SetupFunction } from '../register/setup-function.ts';
import type { Settings } from '../settings/read-settings.ts';
import { EventsConsumer } from '../store/events-consumer.ts';
import { StaleSweep } from '../store/stale-sweep.ts';
import type { EventsStack } from './events-stack.ts';
import type { StorageStack } from './storage-stack.ts';

/** Has the setup function compare the webhook with what is wanted, every five minutes. */
class ReconcileSchedule extends Rule {
  constructor(scope: Construct, id: string, setup: CdkFunction) {
    super(scope, id, {
      description: 'Reconciles the webhook with the SMS service.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [
        new LambdaTarget(setup, {
          event: RuleTargetInput.fromObject({ action: 'reconcile' }),
          // A run that cannot begin is left to the next one, so that runs never gather.
          maxEventAge: Duration.minutes(1),
        }),
      ],
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason:
        'A run that could not begin has nothing to keep: the next one, five minutes later, does all that it would have done.',
    });
  }
}

/**
 * What is known about the webhook besides its secret (functions/registration/webhook-state-store.ts): one item, and one for each
 * minute in which signatures did not fit. It goes with its stack, as the webhook's address does.
 */
export class WebhookStateTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'Holds no event and nothing that cannot be had again: registering writes what is wanted, and the next run of reconcile the rest. An older state would mislead.',
    });
  }
}

export interface PipelineStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  readonly events: EventsStack;
  /** Where the SMS service answers. */
  readonly serviceBaseUrl: string;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** The way of an event: HTTP API, ingest, queue, worker; the setup function that keeps the webhook; and what asks and tends history. */
export class PipelineStack extends Stack {
  readonly webhookUrl: string;
  readonly setupFunction: CdkFunction;
  readonly webhookStateTable: Table;

  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, { description: 'SMS pipeline: webhook, queue and functions.', ...props });
    const { settings, serviceBaseUrl, bundles } = props;
    const { eventBus, publisher } = props.events;
    const { historyTable, quarantineTable, webhookSecret } = props.storage;
    const { logRetentionDays, alarmTopicArn } = settings;
    const defaults = functionDefaults(settings, bundles);
    const alarmTopic =
      alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn);

    // Its id is older than its second use: another one would make another API, and so another URL of the webhook.
    const api = new PipelineApi(this, 'Webhook', {
      rateLimitPerSecond: settings.throttleRatePerSecond,
      burstLimit: settings.throttleBurst,
      hasAccessLog: settings.accessLog === 'on',
      logRetentionDays,
      metricsNamespace: defaults.metricsNamespace,
      customDomain: customDomainOf(settings),
      isDomainUsed: settings.webhookAddress === 'domain',
    });
    // Registration imports it, or did until the webhook moved to a custom domain: CloudFormation would not take it back.
    this.exportValue(api.ownUrl);
    const webhookUrl = `${api.url}${webhookPath}`;
    const webhookStateTable = new WebhookStateTable(this, 'WebhookState');
    const setup = new SetupFunction(this, 'Setup', {
      defaults,
      settings,
      webhookSecret,
      webhookStateTable,
      eventBus,
      webhookUrl,
      serviceBaseUrl,
      registrationTimeout,
      alarmTopic,
    });
    // It tells the SMS service its new address as soon as it knows it.
    if (api.domain !== undefined) setup.function.node.addDependency(api.domain);
    if (settings.registration === 'on') new ReconcileSchedule(this, 'Reconcile', setup.function);
    const signals = new MismatchSignals(this, 'Signals', {
      reader: setup.function,
      readerTimeoutSeconds: setup.timeoutSeconds,
    });
    const events = new EventsConsumer(this, 'Events', {
      defaults,
      settings,
      historyTable,
      quarantineTable,
      webhookSecret,
      webhookStateTable,
      alarmTopic,
    });
    const ingest = new IngestFunction(this, 'Ingest', {
      defaults,
      api,
      eventsQueue: events.queue,
      signalsQueue: signals,
      webhookSecret,
      webhookUrl,
      settings,
      alarmTopic,
    });
    // An update reaches the worker first, so that nothing is queued which it cannot read yet.
    ingest.function.node.addDependency(events.consumer.function);
    const query = new QueryFunction(this, 'Query', {
      defaults,
      settings,
      api,
      historyTable,
      quarantineTable,
      alarmTopic,
    });
    const sweep =
      settings.staleAfterHours === 0
        ? undefined
        : new StaleSweep(this, 'Sweep', { defaults, settings, historyTable, alarmTopic });
    // The last of all: it shows every alarm of the stack.
    if (settings.dashboard === 'on')
      new PipelineDashboard(this, 'Dashboard', {
        api,
        ingest,
        events,
        setup,
        query,
        publisher,
        historyTable,
      });
    this.webhookUrl = webhookUrl;
    this.setupFunction = setup.function;
    this.webhookStateTable = webhookStateTable;

    new CfnOutput(this, 'WebhookUrl', { value: webhookUrl });
    new CfnOutput(this, 'QueryUrl', { value: query.url });
    new CfnOutput(this, 'ApiId', { value: api.apiId });
    new CfnOutput(this, 'EventsQueueUrl', { value: events.queue.queueUrl });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: events.deadLetterQueue.queueUrl });
    new CfnOutput(this, 'WebhookStateTableName', { value: webhookStateTable.tableName });
    new CfnOutput(this, 'WorklistShards', { value: String(settings.worklistShards) });
    new CfnOutput(this, 'Registration', { value: settings.registration });
    new CfnOutput(this, 'SecretOverlapHours', { value: String(settings.secretOverlapHours) });
    new CfnOutput(this, 'SetupFunctionName', { value: setup.function.functionName });
    if (sweep !== undefined) new CfnOutput(this, 'SweepFunctionName', { value: sweep.function.functionName });
  }
}

function customDomainOf(settings: Settings): CustomDomain | undefined {
  const { domainName, certificateArn, mutualTlsTruststore, mutualTlsTruststoreVersion } = settings;
  if (domainName === undefined || certificateArn === undefined) return undefined;
  return {
    name: domainName,
    certificateArn,
    truststore:
      mutualTlsTruststore === undefined
        ? undefined
        : { url: mutualTlsTruststore, version: mutualTlsTruststoreVersion },
  };
}
