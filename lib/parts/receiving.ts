import { Annotations, Duration, Fn, RemovalPolicy, Token, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { unsignedParts } from '../../contract/checks/unsigned-parts.ts';
import { contractHash } from '../../contract/events/body.ts';
import { PipelineApi } from '../api/pipeline-api.ts';
import { IncidentAlarm } from '../building-blocks/incident-alarm.ts';
import { envNumber, onOrOff } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import { IngestFunction, webhookPath } from '../ingest/ingest-function.ts';
import { PipelineDashboard } from '../operate/dashboard.ts';
import type { PipelineOptions } from '../props/options.ts';
import { QueryFunction } from '../query/query-function.ts';
import { addSignalsQueue, SetupFunction } from '../register/setup-function.ts';
import { EventsQueue } from '../store/events-queue.ts';
import { StaleSweepFunction } from '../store/stale-sweep.ts';
import type { Publishing } from './publishing.ts';
import type { Storage } from './storage.ts';

/**
 * The path of an event: HTTP API -> ingest -> events queue -> worker -> history table.
 *
 * Beside it are the setup function, which keeps the webhook registered, the query function, which answers from the history table,
 * and the sweep, which marks stale messages in it.
 */
export interface Receiving {
  readonly api: PipelineApi;
  readonly webhookUrl: string;
  readonly ingest: IngestFunction;
  readonly worker: EventsQueue;
  readonly setup: SetupFunction;
  readonly query: QueryFunction;
  readonly webhookStateTable: Table;
}

export function addReceiving(
  scope: Construct,
  options: PipelineOptions,
  { historyTable, quarantineTable, insightsTable, webhookSecret }: Storage,
  { eventBus, publisher }: Publishing,
): Receiving {
  // The HTTP API of webhook and queries. Another id would make another API, and so another URL of the webhook.
  const api = new PipelineApi(scope, 'Webhook', options);
  const webhookUrl = `${api.url}${webhookPath}`;
  for (const [index, sentence] of unsignedParts(options.sources.contract).entries())
    Annotations.of(scope).addWarningV2(`sms-pipeline:unsigned-${index + 1}`, sentence);
  warnOfHotLists(scope, options);

  // The registration of the webhook at the SMS service.
  const webhookStateTable = addWebhookStateTable(scope);
  const setup = new SetupFunction(scope, 'Setup', {
    options,
    webhookSecret,
    webhookStateTable,
    eventBus,
    webhookUrl,
  });
  // The function registers its new address as soon as it has it, so the domain must exist.
  if (api.domain !== undefined) setup.function.node.addDependency(api.domain);
  if (options.registration) addReconcileSchedule(scope, setup.function);
  const signalsQueue = addSignalsQueue(scope, 'Signals', setup);

  // Ingest -> events queue -> worker -> history table.
  const worker = new EventsQueue(scope, 'Events', {
    options,
    historyTable,
    quarantineTable,
    webhookSecret,
    webhookStateTable,
  });
  const ingest = new IngestFunction(scope, 'Ingest', {
    options,
    api,
    eventsQueue: worker.queue,
    signalsQueue,
    webhookSecret,
    webhookUrl,
    parkedRefused: worker.consumer.metricCounted('ParkedRefused'),
  });
  // An update reaches the worker first, so that ingest queues nothing that the worker cannot read yet.
  ingest.function.node.addDependency(worker.consumer.function);

  // Queries of the history table, and its sweep.
  const query = new QueryFunction(scope, 'Query', {
    options,
    api,
    historyTable,
    quarantineTable,
    insightsTable,
  });
  const sweep = new StaleSweepFunction(scope, 'Sweep', { options, historyTable });
  // An update reaches those that read the history first, so that the worker writes nothing that they cannot read yet.
  for (const reader of [publisher, query, sweep])
    worker.consumer.function.node.addDependency(reader.function);

  new IncidentAlarm(scope, 'EventsNotStored', {
    runbook: 'EventsNotStored',
    impact: 'Delivery reports and replies are missing from history, for now or for good.',
    alarms: options.alarms,
  });

  // The dashboard comes last: it shows every alarm of this part.
  if (options.dashboard)
    new PipelineDashboard(scope, 'Dashboard', {
      api,
      ingest,
      events: worker,
      setup,
      query,
      publisher,
      historyTable,
      alarmsBelow: scope,
    });

  const output = (name: OutputName, value: string) => addOutput(scope, options, name, value);
  output('WebhookUrl', webhookUrl);
  const urlSuffix = options.sources.contract.webhook.retries?.urlSuffix;
  if (urlSuffix !== undefined) output('WebhookUrlWithRetries', `${webhookUrl}${urlSuffix}`);
  output('QueryUrl', query.url);
  output('ApiId', api.apiId);
  output('EventsQueueUrl', worker.queue.queueUrl);
  output('DeadLetterQueueUrl', worker.deadLetterQueue.queueUrl);
  output('WebhookStateTableName', webhookStateTable.tableName);
  output('ListShards', envNumber(options.listShards));
  output('RetentionDays', envNumber(options.retentionDays));
  output('Registration', onOrOff(options.registration));
  output('SecretOverlapHours', envNumber(options.webhook.secretOverlapHours));
  output('IngestFunctionName', ingest.function.functionName);
  output('SetupFunctionName', setup.function.functionName);
  output('MetricsNamespace', options.metricsNamespace);
  output('ContractHash', contractHash(options.sources.contract));
  const { topic, page } = options.alarms || {};
  if (topic !== undefined) {
    output('AlarmTopicArn', topic.topicArn);
    output('TicketAlarmNames', someAlarms(scope, 'ticket'));
  }
  if (page !== undefined && page !== topic) {
    output('PageTopicArn', page.topicArn);
    output('PageAlarmNames', someAlarms(scope, 'page'));
  }
  output('SweepFunctionName', sweep.function.functionName);
  return { api, webhookUrl, ingest, worker, setup, query, webhookStateTable };
}

/** One key of an index accepts 1,000 writes a second, and an event rarely writes into a list more than once. */
const eventsPerListKey = 1000;

function warnOfHotLists(scope: Construct, { webhook, listShards }: PipelineOptions): void {
  // Values that are known at deployment only cannot be compared here.
  if (Token.isUnresolved(webhook.ratePerSecond) || Token.isUnresolved(listShards)) return;
  const accepted = listShards * eventsPerListKey;
  if (webhook.ratePerSecond > accepted)
    Annotations.of(scope).addWarningV2(
      'sms-pipeline:hot-lists',
      `The webhook accepts ${webhook.ratePerSecond} requests a second (webhook.ratePerSecond, in cdk.json sms:throttleRatePerSecond), but the lists of messages accept ${accepted} events a second. Above that DynamoDB throttles the worker, and events wait in the queue. Set listShards (in cdk.json sms:listShards) to ${Math.ceil(webhook.ratePerSecond / eventsPerListKey)}: docs/reference/data-model.md#shards.`,
    );
}

/** Returns the names of three alarms, which `sms doctor --test-alarm` may set off: an output has at most 1024 characters, a name 255. */
function someAlarms(scope: Construct, severity: 'ticket' | 'page'): string {
  const alarms = scope.node.findAll().filter((node) => node instanceof OperatorAlarm);
  const names = alarms
    .filter((one) => one.severity === severity)
    .flatMap(({ alarm }) => alarm?.alarmName ?? []);
  return Fn.join(',', names.slice(0, 3));
}

/**
 * Adds the table that keeps the webhook's state, except its secret (functions/webhook/registration/webhook-state-store.ts): one item, and one for
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
      'Holds no event and nothing that cannot be restored: registering writes the desired state, and the next run of reconcile the rest. An older state would mislead.',
  });
  return table;
}

/** Lets the setup function compare the webhook with the desired state every five minutes. */
function addReconcileSchedule(scope: Construct, setup: CdkFunction): void {
  const rule = new Rule(scope, 'Reconcile', {
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
