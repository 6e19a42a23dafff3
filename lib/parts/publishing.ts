import type { Construct } from 'constructs';
import { IncidentAlarm } from '../building-blocks/incident-alarm.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { PipelineOptions } from '../props/options.ts';
import { addEventSchemas } from '../publish/event-schemas.ts';
import { PipelineBus } from '../publish/pipeline-bus.ts';
import { ProbeQueue } from '../publish/probe-queue.ts';
import { PublisherFunction } from '../publish/publisher.ts';
import type { Storage } from './storage.ts';

/** Publishes the changes of history: the event bus, its archive, and the publisher. */
export interface Publishing {
  readonly eventBus: PipelineBus;
  readonly publisher: PublisherFunction;
}

export function addPublishing(
  scope: Construct,
  options: PipelineOptions,
  { historyTable }: Storage,
): Publishing {
  const eventBus = new PipelineBus(scope, 'Bus', options);
  const publisher = new PublisherFunction(scope, 'Publisher', { options, historyTable, eventBus });
  new IncidentAlarm(scope, 'EventsNotPublished', {
    runbook: 'Events are not published',
    impact:
      'Automations start late, or miss events. History is whole, and the stream of the history table keeps what is not published for 24 hours.',
    alarms: options.alarms,
  });
  const { eventArchive } = eventBus;
  addOutput(scope, options, 'EventBusName', eventBus.eventBusName);
  addOutput(scope, options, 'EventBusArn', eventBus.eventBusArn);
  if (eventArchive !== undefined) addOutput(scope, options, 'EventArchiveName', eventArchive.archiveName);
  addOutput(scope, options, 'PublisherFailuresQueueUrl', publisher.failures.queueUrl);
  addOutput(scope, options, 'ProbeQueueUrl', new ProbeQueue(scope, 'Probe', eventBus).queueUrl);
  if (options.events.schemaRegistry)
    addOutput(scope, options, 'SchemaRegistryName', addEventSchemas(scope, 'Schemas').attrRegistryName);
  return { eventBus, publisher };
}
