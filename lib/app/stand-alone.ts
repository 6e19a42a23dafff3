import { resolve } from 'node:path';
import { Annotations, type App, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { pathOfContract } from '../../contract/document/contract-file-store.ts';
import { wordsOf } from '../../contract/events/source-id.ts';
import { addAutomations, addPlaceholder } from '../automations/automations.ts';
import { CustomerKey, encryptBelow } from '../building-blocks/customer-key.ts';
import { addOutput } from '../building-blocks/output.ts';
import type { BuiltFunctions } from '../bundling/function-code.ts';
import { shippedFunctions } from '../bundling/shipped-functions.ts';
import { addConsole } from '../console/console.ts';
import { builtPage } from '../console/page-bucket.ts';
import { addExports } from '../export/exports.ts';
import { athenaName } from '../export/history-catalog.ts';
import { addStorage, type Storage } from '../history/storage.ts';
import { addInsights } from '../insights/insights.ts';
import { addReconciling } from '../look-ups/look-ups.ts';
import type { PipelineOptions } from '../props/options.ts';
import { resolveOptions, resolveSource } from '../props/resolve-options.ts';
import { Contract } from '../public/contract.ts';
import { Keywords } from '../public/keywords.ts';
import { addPublishing, type Publishing } from '../publish/publishing.ts';
import { addFurtherSource } from '../receive/further-source.ts';
import { addReceiving, type Receiving } from '../receive/receiving.ts';
import { addRegistration } from '../registration/registration.ts';
import { propsOf, sourcePropsOf } from './props-of-settings.ts';
import { readSettings, readSourceSettings } from './read-settings.ts';

interface StandAloneOptions {
  /**
   * The folder that the settings `sms:contractFile` and `sms:keywordsFile` are relative to.
   *
   * @default - the folder that `cdk` runs in
   */
  readonly folder?: string;
  /**
   * The code of the functions.
   *
   * @default - those of the package
   */
  readonly functions?: BuiltFunctions;
  /**
   * The folder with the built page of the console.
   *
   * @default - that of the package
   */
  readonly consolePage?: string;
}

const stackParts = ['Storage', 'Events', 'Pipeline', 'Registration', 'Automations', 'Analysis'] as const;

/**
 * Adds the pipeline as stacks of its own, for any account and region. Its settings are the context's keys that begin with `sms:`.
 *
 * @throws SettingsError, ContractFileError or KeywordsFileError naming every mistake; {@link explainMistakes} prints them
 */
export function addStandAlonePipeline(
  app: App,
  { folder = process.cwd(), functions: built = shippedFunctions(), consolePage }: StandAloneOptions = {},
) {
  const settings = readSettings(app.node.getAllContext());
  const { stackPrefix } = settings;
  const contract = contractOf(folder, settings.contractFile, 'the setting sms:contractFile');
  const keywords = Keywords._fromFile(resolve(folder, settings.keywordsFile), 'the setting sms:keywordsFile');
  const storageStack = new Stack(app, `${stackPrefix}-Storage`, {
    description: 'SMS pipeline: delivery history, quarantine and webhook secret.',
  });
  const names = {
    name: `${stackPrefix}-Pipeline`,
    metricsNamespace: stackPrefix,
    outputsBelow: undefined,
    stackNames: stackParts.map((part) => `${stackPrefix}-${part}`),
    exportDatabase: athenaName(stackPrefix),
  };
  const props = { ...propsOf(settings, storageStack), contract, keywords };
  const options = resolveOptions(props, names, {
    built,
    path: stackPrefix,
    stack: storageStack,
  });
  storageStack.terminationProtection = options.removalPolicy === RemovalPolicy.RETAIN;
  const storage = addStorage(storageStack, options);
  const events = new EventsStack(app, `${stackPrefix}-Events`, { options, storage });
  const pipeline = new PipelineStack(app, `${stackPrefix}-Pipeline`, {
    options,
    storage,
    events,
    consolePage,
  });
  for (const [name, block] of Object.entries(settings.sources)) {
    const path = `${stackPrefix}, source ${name}`;
    const sourceSettings = readSourceSettings(name, block);
    const source = {
      ...sourcePropsOf(sourceSettings, new Construct(storageStack, `Settings${wordsOf(name)}`)),
      contract: contractOf(
        folder,
        sourceSettings.contractFile,
        `the setting sms:sources.${name}.contractFile`,
      ),
    };
    addFurtherSource(
      pipeline,
      resolveSource(name, source, { props, options, path, stack: storageStack }),
      pipeline.receiving,
      storage,
      storageStack,
    );
  }
  const { query } = pipeline.receiving;
  if (settings.queryRoleArn !== undefined)
    query.grantQuery(Role.fromRoleArn(query, 'Caller', settings.queryRoleArn));
  const registration = options.registration
    ? new RegistrationStack(app, `${stackPrefix}-Registration`, { options, pipeline })
    : undefined;
  const automations = new AutomationsStack(app, `${stackPrefix}-Automations`, { options, storage, events });
  const analysis =
    options.exports === undefined
      ? undefined
      : new AnalysisStack(app, `${stackPrefix}-Analysis`, { options, storage, ...options.exports });
  if (settings.encryptionKey === 'customer') {
    const key = new CustomerKey(storageStack, 'Key', options);
    addOutput(storageStack, names, 'EncryptionKeyArn', key.keyArn);
    for (const stack of [storageStack, events, pipeline, automations, analysis])
      if (stack !== undefined) encryptBelow(stack, key);
  }
  if (settings.alarmTopicArn === undefined)
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:no-alarm-topic',
      'No alarm notifies an operator: set sms:alarmTopicArn to the ARN of an SNS topic, in cdk.context.json of a clone, or else in "context" of cdk.json.',
    );
  return { storage: storageStack, events, pipeline, registration, automations, analysis };
}

interface EventsStackProps extends StackProps {
  readonly options: PipelineOptions;
  readonly storage: Storage;
}

class EventsStack extends Stack {
  readonly publishing: Publishing;

  constructor(scope: Construct, id: string, { options, storage }: EventsStackProps) {
    super(scope, id, { description: 'SMS pipeline: event bus, archive and publisher.' });
    this.publishing = addPublishing(this, options, storage);
    const { eventBus, publisher } = this.publishing;
    // The dashboard and the registration import these. They are exported even if both are off: CloudFormation deletes no export
    // that the stack Pipeline, updated later, still imports.
    this.exportValue(publisher.function.functionName);
    this.exportValue(publisher.failures.queueName);
    this.exportValue(eventBus.eventBusArn);
  }
}

interface PipelineStackProps extends EventsStackProps {
  readonly events: EventsStack;
}

interface ReceivingStackProps extends PipelineStackProps {
  readonly consolePage: string | undefined;
}

class PipelineStack extends Stack {
  readonly receiving: Receiving;

  constructor(scope: Construct, id: string, props: ReceivingStackProps) {
    const { options, storage, events } = props;
    super(scope, id, { description: 'SMS pipeline: webhook, queue and functions.' });
    // The dashboard of the receiving part shows the alarms that exist before it.
    if (options.insights !== undefined) addInsights(this, options, options.insights, storage);
    if (options.lookups) addReconciling(this, options, storage);
    this.receiving = addReceiving(this, options, storage, events.publishing);
    if (options.console !== undefined)
      addConsole(this, options, options.console, props.consolePage ?? builtPage(), this.receiving, storage);
    // Deployments whose webhook moved to a custom domain still import it, so CloudFormation would refuse to remove it.
    this.exportValue(this.receiving.api.executeApiUrl);
  }
}

/** Reads the contract that a setting names, by its path or as the name of a preset. */
function contractOf(folder: string, name: string, namedBy: string): Contract {
  return Contract._fromFile(resolve(folder, pathOfContract(name)), namedBy);
}

interface RegistrationStackProps extends StackProps {
  readonly options: PipelineOptions;
  readonly pipeline: PipelineStack;
}

/** A separate stack, so that an outage of the service or a missing API key fails this stack and never rolls back the pipeline. */
class RegistrationStack extends Stack {
  constructor(scope: Construct, id: string, { options, pipeline }: RegistrationStackProps) {
    super(scope, id, { description: 'SMS pipeline: registration of the webhook at the SMS service.' });
    addRegistration(this, options, pipeline.receiving, 'fail');
  }
}

/** The stack exists without any automation too, so that switching one off removes it. */
class AutomationsStack extends Stack {
  constructor(scope: Construct, id: string, { options, storage, events }: PipelineStackProps) {
    super(scope, id, { description: 'SMS pipeline: automations that follow its events.' });
    addAutomations(this, options, storage, events.publishing);
    addPlaceholder(this);
  }
}

interface AnalysisStackProps extends EventsStackProps {
  readonly retentionDays: number;
}

/** Copies the history out of DynamoDB for analysis. */
class AnalysisStack extends Stack {
  constructor(scope: Construct, id: string, { options, storage, retentionDays }: AnalysisStackProps) {
    super(scope, id, { description: 'SMS pipeline: exports of the delivery history for analysis.' });
    addExports(this, options, storage, retentionDays);
  }
}
