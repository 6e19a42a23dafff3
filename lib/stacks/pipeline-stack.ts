import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import type { CustomDomain } from '../constructs/api-domain.ts';
import { PipelineDashboard } from '../constructs/dashboard.ts';
import { EventStore } from '../constructs/event-store.ts';
import { IngestFunction, webhookPath } from '../constructs/ingest-function.ts';
import { functionDefaults } from '../constructs/lambda-function.ts';
import { MismatchSignals } from '../constructs/mismatch-signals.ts';
import { PipelineApi } from '../constructs/pipeline-api.ts';
import { QueryApi } from '../constructs/query-api.ts';
import { ReconcileSchedule } from '../constructs/reconcile-schedule.ts';
import { SetupFunction } from '../constructs/setup-function.ts';
import { StaleSweep } from '../constructs/stale-sweep.ts';
import { WebhookStateTable } from '../constructs/webhook-state-table.ts';
import type { EventsStack } from './events-stack.ts';
import { registrationTimeout } from './registration-timeout.ts';
import type { StorageStack } from './storage-stack.ts';

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
    const events = new EventStore(this, 'Events', {
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
    const query = new QueryApi(this, 'Query', {
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
