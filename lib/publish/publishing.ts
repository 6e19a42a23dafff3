import { Archive, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { IncidentAlarm } from '../building-blocks/incident-alarm.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { Storage } from '../history/storage.ts';
import type { PipelineOptions } from '../options/options.ts';
import { archiveProps, PipelineBus } from './pipeline-bus.ts';
import { ProbeQueue } from './probe-queue.ts';
import { PublisherFunction } from './publisher.ts';

/** Publishes the changes of history: the event bus, its archive, and the publisher. */
export interface Publishing {
  readonly eventBus: IEventBus;
  readonly publisher: PublisherFunction;
}

export function addPublishing(
  scope: Construct,
  options: PipelineOptions,
  { historyTable }: Storage,
): Publishing {
  const { eventBus, eventArchive } = addBus(scope, options);
  const publisher = new PublisherFunction(scope, 'Publisher', { options, historyTable, eventBus });
  new IncidentAlarm(scope, 'EventsNotPublished', {
    runbook: 'Events are not published',
    impact:
      'Automations start late, or miss events. History is whole, and the stream of the history table keeps what is not published for 24 hours.',
    alarms: options.alarms,
  });
  addOutput(scope, options, 'PipelineName', options.name);
  addOutput(scope, options, 'EventBusName', eventBus.eventBusName);
  addOutput(scope, options, 'EventBusArn', eventBus.eventBusArn);
  if (eventArchive !== undefined) addOutput(scope, options, 'EventArchiveName', eventArchive.archiveName);
  addOutput(scope, options, 'PublisherFailuresQueueUrl', publisher.failures.queueUrl);
  addOutput(scope, options, 'ProbeQueueUrl', new ProbeQueue(scope, 'Probe', eventBus, options.name).queueUrl);
  return { eventBus, publisher };
}

/** Adds the bus of the pipeline and its archive, or only the archive if there is a bus already. */
function addBus(
  scope: Construct,
  options: PipelineOptions,
): { readonly eventBus: IEventBus; readonly eventArchive: Archive | undefined } {
  if (options.eventBus === undefined) {
    const eventBus = new PipelineBus(scope, 'Bus', options);
    // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
    return { eventBus: eventBus as IEventBus, eventArchive: eventBus.eventArchive };
  }
  const { eventBus, events } = options;
  const isArchived = events.archive.toDays() !== 0;
  return {
    eventBus,
    eventArchive: isArchived
      ? new Archive(scope, 'Archive', archiveProps(eventBus, options.name, events.archive))
      : undefined,
  };
}
