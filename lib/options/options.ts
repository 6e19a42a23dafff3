import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { FunctionSources } from '../bundling/function-code.ts';
import type { ConsoleDomainProps, DomainProps } from '../props/props.ts';
import type { AlarmRecipients } from './alarm-recipients.ts';
import type { OptionsOf } from './option-table.ts';

/** A pipeline with every default filled in: what its parts are made from. option-table.ts has the rows of {@link OptionsOf}. */
export interface PipelineOptions extends OptionsOf<'pipeline'> {
  /** Names the HTTP API, its access log and the event bus; unique in the account and region. */
  readonly name: string;
  readonly metricsNamespace: string;
  /** The construct whose logical ids the outputs have; false for no outputs. */
  readonly outputsBelow: Construct | false;
  /** The name of the stack that holds the pipeline. */
  readonly stackName: string;
  /** Athena accepts it without quotes. */
  readonly exportDatabase: string;
  /** The name of the source that these options are of. */
  readonly source: string;
  /** What the functions are made from. */
  readonly functionSources: FunctionSources;
  readonly serviceBaseUrl: string;
  /** Undefined without registration and without lookups only. */
  readonly apiKey: ISecret | undefined;
  /** A bus of the caller; undefined for one of the pipeline. */
  readonly eventBus: IEventBus | undefined;
  readonly tables: OptionsOf<'tables'>;
  readonly webhook: OptionsOf<'webhook'> & { readonly domain: DomainProps | undefined };
  readonly worker: OptionsOf<'worker'>;
  readonly events: OptionsOf<'events'>;
  /** Undefined without exports. */
  readonly exports: OptionsOf<'exports'> | undefined;
  /** Undefined without insights. */
  readonly insights: OptionsOf<'insights'> | undefined;
  /** Undefined without a console. */
  readonly console: ConsoleOptions | undefined;
  readonly automations: AutomationOptions;
  /** False for no alarms. */
  readonly alarms: AlarmRecipients | false;
  readonly functions: FunctionOptions;
  readonly logs: OptionsOf<'logs'> & { readonly encryptionKey: IKey | undefined };
}

/** What all functions of a pipeline share. */
export interface FunctionOptions extends OptionsOf<'functions'> {
  readonly architecture: Architecture;
  /** Undefined for the network of Lambda. */
  readonly vpc: IVpc | undefined;
  readonly subnets: SubnetSelection | undefined;
  readonly securityGroups: readonly ISecurityGroup[] | undefined;
}

export interface ConsoleOptions {
  /** Undefined for a user pool of Cognito. */
  readonly oidc: OptionsOf<'console.oidc'> | undefined;
  readonly domain: ConsoleDomainProps | undefined;
}

/** The automations that are on. */
export interface AutomationOptions {
  readonly optOutContacts?: OptionsOf<'automations.optOutContacts'> & { readonly topic: ITopic | undefined };
  readonly contactSync?: OptionsOf<'automations.contactSync'>;
  readonly failureAlert?: OptionsOf<'automations.failureAlert'> & { readonly topic: ITopic | undefined };
  readonly forward?: OptionsOf<'automations.forward'>;
  readonly billingWatch?: true;
  readonly deliveryWatch?: true;
}

/** What a pipeline is called, which follows from where it is in the app. */
export type PipelineNames = Pick<
  PipelineOptions,
  'name' | 'metricsNamespace' | 'outputsBelow' | 'stackName' | 'exportDatabase'
>;

/** Returns whether the pipeline itself puts a webhook right that was changed elsewhere, and stores its new secret. */
export function isRepaired({
  registration,
  webhook,
}: Pick<PipelineOptions, 'registration' | 'webhook'>): boolean {
  return registration && webhook.repairDrift;
}
