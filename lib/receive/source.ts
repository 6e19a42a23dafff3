import { Annotations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { unsignedParts } from '../../contract/checks/unsigned-parts.ts';
import { contractHash } from '../../contract/events/body.ts';
import type { PipelineApi } from '../api/pipeline-api.ts';
import { IncidentAlarm } from '../building-blocks/incident-alarm.ts';
import type { LambdaFunction } from '../building-blocks/lambda-function.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { OutputName } from '../building-blocks/output-meanings.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import { addSetup } from '../registration/setup.ts';
import type { SetupFunction } from '../registration/setup-function.ts';
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

/** @param registration the scope of the setup function, and of what it keeps */
export function addSource(
  scope: Construct,
  registration: Construct,
  options: PipelineOptions,
  { api, storage, eventBus, readers }: SourceContext,
): Source {
  const { historyTable, quarantineTable } = storage;
  const webhookUrl = `${api.url}${webhookPathOf(options.source)}`;
  for (const { id, sentence } of unsignedParts(options.functionSources.contract)) {
    const advice =
      'docs/concepts/security.md explains it. This warning stops no deployment, except with --strict.';
    Annotations.of(scope).addWarningV2(`sms-pipeline:unsigned-${id}`, `${sentence} ${advice}`);
  }

  const { setup, signalsQueue, webhookStateTable, webhookSecret } = addSetup(registration, options, {
    eventBus,
    webhookUrl,
  });
  // The function registers its new address as soon as it has it, so the domain must exist.
  if (api.domain !== undefined) setup.function.node.addDependency(api.domain);

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
    accepted: worker.consumer.metricCounted('RequestsAccepted'),
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
  output('IngestFunctionName', ingest.function.functionName);
  output('ContractHash', contractHash(options.functionSources.contract));
  return { webhookUrl, ingest, worker, setup, webhookStateTable, webhookSecret };
}
