import { Annotations, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { type IEventBus, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { unsignedParts } from '../../contract/checks/unsigned-parts.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { PipelineApi } from '../api/pipeline-api.ts';
import { IncidentAlarm } from '../building-blocks/incident-alarm.ts';
import { envNumber, type LambdaFunction, onOrOff } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import { addSignalsQueue, SetupFunction } from '../registration/setup-function.ts';
import { EventsQueue } from './events-queue.ts';
import { IngestFunction, webhookPathOf } from './ingest-function.ts';

/**
 * The path of the reports of one source: HTTP API -> ingest -> events queue -> worker -> history table. Beside it is the setup function, which
 * keeps the webhook registered.
 */
export interface Source {
  readonly webhookUrl: string;
  readonly ingest: IngestFunction;
  readonly worker: EventsQueue;
  readonly setup: SetupFunction;
  readonly webhookStateTable: Table;
  readonly webhookSecret: ISecret;
}

/** What all sources of a pipeline share. */
export interface SourceContext {
  readonly api: PipelineApi;
  readonly storage: Pick<Storage, 'historyTable' | 'quarantineTable'>;
  readonly eventBus: IEventBus;
  /** The functions that read what the worker writes. */
  readonly readers: readonly LambdaFunction[];
}

/** @param webhookSecret the source signs its requests with it */
export function addSource(
  scope: Construct,
  options: PipelineOptions,
  { api, storage, eventBus, readers }: SourceContext,
  webhookSecret: ISecret,
): Source {
  const { historyTable, quarantineTable } = storage;
  const webhookUrl = `${api.url}${webhookPathOf(options.source)}`;
  for (const [index, sentence] of unsignedParts(options.functionSources.contract).entries()) {
    const id = `sms-pipeline:unsigned-${index + 1}`;
    const advice =
      'docs/concepts/security.md explains it. This warning stops no deployment, except with --strict.';
    Annotations.of(scope).addWarningV2(id, `${sentence} ${advice}`);
  }

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
  if (options.registration) addLookupSchedule(scope, setup.function);
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
  // It reaches those that read the history before the worker, so that the worker writes nothing that they cannot read yet.
  for (const reader of readers) worker.consumer.function.node.addDependency(reader.function);

  new IncidentAlarm(scope, 'EventsNotStored', {
    runbook: 'EventsNotStored',
    impact: 'Delivery reports and replies are missing from history, for now or for good.',
    alarms: options.alarms,
  });

  const output = (name: OutputName, value: string) => addOutput(scope, options, name, value);
  output('WebhookUrl', webhookUrl);
  const urlSuffix = options.functionSources.contract.webhook.retries?.urlSuffix;
  if (urlSuffix !== undefined) output('WebhookUrlWithRetries', `${webhookUrl}${urlSuffix}`);
  output('EventsQueueUrl', worker.queue.queueUrl);
  output('DeadLetterQueueUrl', worker.deadLetterQueue.queueUrl);
  output('WebhookStateTableName', webhookStateTable.tableName);
  output('Registration', onOrOff(options.registration));
  output('SecretOverlapHours', envNumber(options.webhook.secretOverlap.toHours()));
  output('IngestFunctionName', ingest.function.functionName);
  output('SetupFunctionName', setup.function.functionName);
  output('ContractHash', contractHash(options.functionSources.contract));
  return { webhookUrl, ingest, worker, setup, webhookStateTable, webhookSecret };
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
      'Holds no event and nothing that cannot be restored: registering writes the desired state, and the next run of reconcile the rest. An older state would mislead.',
  });
  return table;
}

/** Lets the setup function compare the webhook with the desired state every five minutes. */
function addLookupSchedule(scope: Construct, setup: CdkFunction): void {
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
