import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { PipelineApi } from '../api/pipeline-api.ts';
import { functionContext } from '../building-blocks/lambda-function.ts';
import { IngestFunction, webhookPath } from '../ingest/ingest-function.ts';
import { PipelineDashboard } from '../operate/dashboard.ts';
import { QueryFunction } from '../query/query-function.ts';
import { addSignalsQueue, SetupFunction } from '../register/setup-function.ts';
import type { Settings } from '../settings/read-settings.ts';
import { EventsQueue } from '../store/events-queue.ts';
import { StaleSweepFunction } from '../store/stale-sweep.ts';
import type { EventsStack } from './events-stack.ts';
import type { StorageStack } from './storage-stack.ts';

export interface PipelineStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  readonly events: EventsStack;
  /** The base URL of the SMS service. */
  readonly serviceBaseUrl: string;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/**
 * The path of an event: HTTP API -> ingest -> events queue -> worker -> history table.
 *
 * Beside it are the setup function, which keeps the webhook registered, the query function, which answers from the history table,
 * and the sweep, which marks stale messages in it.
 */
export class PipelineStack extends Stack {
  readonly webhookUrl: string;
  readonly setupFunction: CdkFunction;
  readonly webhookStateTable: Table;

  constructor(scope: Construct, id: string, props: PipelineStackProps) {
    super(scope, id, { description: 'SMS pipeline: webhook, queue and functions.', ...props });
    const { settings, serviceBaseUrl, bundles } = props;
    const { eventBus, publisher } = props.events;
    const { historyTable, quarantineTable, webhookSecret } = props.storage;
    const context = functionContext(this, settings, bundles);

    // The HTTP API of webhook and queries. Another id would make another API, and so another URL of the webhook.
    const api = new PipelineApi(this, 'Webhook', settings);
    // Deployments whose webhook moved to a custom domain still import it, so CloudFormation would refuse to remove it.
    this.exportValue(api.executeApiUrl);
    const webhookUrl = `${api.url}${webhookPath}`;

    // The registration of the webhook at the SMS service.
    const webhookStateTable = this.addWebhookStateTable();
    const setup = new SetupFunction(this, 'Setup', {
      ...context,
      webhookSecret,
      webhookStateTable,
      eventBus,
      webhookUrl,
      serviceBaseUrl,
    });
    // The function registers its new address as soon as it has it, so the domain must exist.
    if (api.domain !== undefined) setup.function.node.addDependency(api.domain);
    if (settings.registration === 'on') this.addReconcileSchedule(setup.function);
    const signalsQueue = addSignalsQueue(this, 'Signals', setup);

    // Ingest -> events queue -> worker -> history table.
    const events = new EventsQueue(this, 'Events', {
      ...context,
      historyTable,
      quarantineTable,
      webhookSecret,
      webhookStateTable,
    });
    const ingest = new IngestFunction(this, 'Ingest', {
      ...context,
      api,
      eventsQueue: events.queue,
      signalsQueue,
      webhookSecret,
      webhookUrl,
    });
    // An update reaches the worker first, so that ingest queues nothing that the worker cannot read yet.
    ingest.function.node.addDependency(events.consumer.function);

    // Queries of the history table, and its sweep.
    const query = new QueryFunction(this, 'Query', { ...context, api, historyTable, quarantineTable });
    const sweep =
      settings.staleAfterHours === 0
        ? undefined
        : new StaleSweepFunction(this, 'Sweep', { ...context, historyTable });

    // The dashboard comes last: it shows every alarm of the stack.
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

  /**
   * Adds the table that keeps the webhook's state, except its secret (functions/registration/webhook-state-store.ts): one item, and one for
   * each minute with signature mismatches. It is deleted with its stack, as the webhook's address is.
   */
  private addWebhookStateTable(): Table {
    const table = new Table(this, 'WebhookState', {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(table).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'Holds no event and nothing that cannot be restored: registering writes the desired state, and the next run of reconcile the rest. An older state would mislead.',
    });
    return table;
  }

  /** Lets the setup function compare the webhook with the desired state every five minutes. */
  private addReconcileSchedule(setup: CdkFunction): void {
    const rule = new Rule(this, 'Reconcile', {
      description: 'Reconciles the webhook with the SMS service.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [
        new LambdaTarget(setup, {
          event: RuleTargetInput.fromObject({ action: 'reconcile' }),
          // A run that cannot begin within a minute is dropped, so that runs never pile up.
          maxEventAge: Duration.minutes(1),
        }),
      ],
    });
    Validations.of(rule).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason:
        'A run that could not begin has nothing to keep: the next one, five minutes later, does all of its work.',
    });
  }
}
