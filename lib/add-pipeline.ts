import { type App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { CustomerKey } from './operate/customer-key.ts';
import type { Settings } from './settings/read-settings.ts';
import { AnalysisStack } from './stacks/analysis-stack.ts';
import { AutomationsStack } from './stacks/automations-stack.ts';
import { EventsStack } from './stacks/events-stack.ts';
import { PipelineStack } from './stacks/pipeline-stack.ts';
import { RegistrationStack } from './stacks/registration-stack.ts';
import { StorageStack } from './stacks/storage-stack.ts';

export interface PipelineProps {
  readonly settings: Settings;
  /** The base URL of the SMS service. */
  readonly serviceBaseUrl: string;
  /** Folder with a bundle a function. */
  readonly bundles: string;
}

export interface PipelineStacks {
  readonly storage: StorageStack;
  readonly events: EventsStack;
  readonly pipeline: PipelineStack;
  /** Undefined unless the pipeline registers its webhook itself. */
  readonly registration: RegistrationStack | undefined;
  /** Holds a placeholder if no automation is on. */
  readonly automations: AutomationsStack;
  /** Undefined unless history is exported. */
  readonly analysis: AnalysisStack | undefined;
}

/** Adds the stacks, for any account and region, and the checks that run at synth. */
export function addPipeline(app: App, { settings, serviceBaseUrl, bundles }: PipelineProps): PipelineStacks {
  const { stackPrefix, apiKeySecretName } = settings;
  const storage = new StorageStack(app, `${stackPrefix}-Storage`);
  const events = new EventsStack(app, `${stackPrefix}-Events`, { settings, storage, bundles });
  const pipeline = new PipelineStack(app, `${stackPrefix}-Pipeline`, {
    settings,
    storage,
    events,
    serviceBaseUrl,
    bundles,
  });
  const registration =
    settings.registration === 'off'
      ? undefined
      : new RegistrationStack(app, `${stackPrefix}-Registration`, {
          pipeline,
          serviceBaseUrl,
          apiKeySecretName,
        });
  const automations = new AutomationsStack(app, `${stackPrefix}-Automations`, {
    settings,
    storage,
    eventBus: events.eventBus,
    serviceBaseUrl,
    bundles,
  });
  const analysis =
    settings.exportToS3 === 'off'
      ? undefined
      : new AnalysisStack(app, `${stackPrefix}-Analysis`, { settings, storage, bundles });
  if (settings.encryptionKey === 'customer') {
    const stacks = [storage, events, pipeline, automations, ...(analysis === undefined ? [] : [analysis])];
    new CustomerKey(storage, 'Key').encrypt(stacks);
  }
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return { storage, events, pipeline, registration, automations, analysis };
}
