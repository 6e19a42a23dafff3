import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { functionContext } from '../building-blocks/lambda-function.ts';
import { addEventSchemas } from '../publish/event-schemas.ts';
import { PipelineBus } from '../publish/pipeline-bus.ts';
import { PublisherFunction } from '../publish/publisher.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface EventsStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** Publishes the changes of history: the event bus, its archive, and the publisher. */
export class EventsStack extends Stack {
  readonly eventBus: PipelineBus;
  readonly publisher: PublisherFunction;

  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, { description: 'SMS pipeline: event bus, archive and publisher.', ...props });
    const { settings, storage, bundles } = props;
    const { historyTable } = storage;
    this.eventBus = new PipelineBus(this, 'Bus', {
      archiveDays: settings.eventArchiveDays,
      accounts: settings.eventBusAccounts,
    });
    this.publisher = new PublisherFunction(this, 'Publisher', {
      ...functionContext(this, settings, bundles),
      historyTable,
      eventBus: this.eventBus,
    });
    // The dashboard and the registration import these. They are exported even where both are off: CloudFormation deletes no export
    // that the stack Pipeline, updated later, still imports.
    this.exportValue(this.publisher.function.functionName);
    this.exportValue(this.publisher.failures.queueName);
    this.exportValue(this.eventBus.eventBusArn);

    const { eventArchive } = this.eventBus;
    new CfnOutput(this, 'EventBusName', { value: this.eventBus.eventBusName });
    new CfnOutput(this, 'EventBusArn', { value: this.eventBus.eventBusArn });
    if (eventArchive !== undefined)
      new CfnOutput(this, 'EventArchiveName', { value: eventArchive.archiveName });
    new CfnOutput(this, 'PublisherFailuresQueueUrl', { value: this.publisher.failures.queueUrl });
    if (settings.eventSchemaRegistry === 'on') {
      const { attrRegistryName } = addEventSchemas(this, 'Schemas');
      new CfnOutput(this, 'SchemaRegistryName', { value: attrRegistryName });
    }
  }
}
