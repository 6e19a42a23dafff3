import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { functionDefaults } from '../building-blocks/lambda-function.ts';
import { EventSchemas, PipelineBus } from '../publish/pipeline-bus.ts';
import { Publisher } from '../publish/publisher.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { StorageStack } from './storage-stack.ts';

export interface EventsStackProps extends StackProps {
  readonly settings: Settings;
  readonly storage: StorageStack;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

/** What happened, told to whoever wants to know: the event bus, its archive, and the publisher. */
export class EventsStack extends Stack {
  readonly eventBus: PipelineBus;
  readonly publisher: Publisher;

  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, { description: 'SMS pipeline: event bus, archive and publisher.', ...props });
    const { settings, storage, bundles } = props;
    const { alarmTopicArn } = settings;
    this.eventBus = new PipelineBus(this, 'Bus', {
      archiveDays: settings.eventArchiveDays,
      accounts: settings.eventBusAccounts,
    });
    this.publisher = new Publisher(this, 'Publisher', {
      defaults: functionDefaults(settings, bundles),
      settings,
      historyTable: storage.historyTable,
      eventBus: this.eventBus,
      alarmTopic:
        alarmTopicArn === undefined ? undefined : Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn),
    });
    const schemas = settings.eventSchemaRegistry === 'off' ? undefined : new EventSchemas(this, 'Schemas');
    // For the dashboard and the registration, also where they are off: CloudFormation deletes no export that the stack Pipeline,
    // updated later, still imports.
    this.exportValue(this.publisher.function.functionName);
    this.exportValue(this.publisher.failures.queueName);
    this.exportValue(this.eventBus.eventBusArn);

    const { eventArchive } = this.eventBus;
    new CfnOutput(this, 'EventBusName', { value: this.eventBus.eventBusName });
    new CfnOutput(this, 'EventBusArn', { value: this.eventBus.eventBusArn });
    if (eventArchive !== undefined)
      new CfnOutput(this, 'EventArchiveName', { value: eventArchive.archiveName });
    new CfnOutput(this, 'PublisherFailuresQueueUrl', { value: this.publisher.failures.queueUrl });
    if (schemas !== undefined) new CfnOutput(this, 'SchemaRegistryName', { value: schemas.registryName });
  }
}
