import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { FunctionSources } from '../bundling/function-code.ts';
import type { AlarmOverrides, AlarmsProps } from '../props/alarms.ts';
import type {
  ContactSyncProps,
  FailureAlertProps,
  ForwardProps,
  OptOutContactsProps,
} from '../props/automation.ts';
import type {
  ConsoleDomainProps,
  ConsoleOidcProps,
  ConsoleProps,
  DomainProps,
  EventsProps,
  ExportsProps,
  FunctionsProps,
  InsightsProps,
  LogsProps,
  MutualTlsProps,
  SmsPipelineProps,
  TablesProps,
  WebhookProps,
  WorkerProps,
} from '../props/props.ts';
import type { AlarmOverride, AlarmRecipients } from './alarm-recipients.ts';

// The options of a pipeline: its props with every default filled in. The comments of props.ts say what each is for.

/** The options that are in no group. */
interface GeneralOptions {
  readonly serviceBaseUrl: string | undefined;
  readonly registration: boolean;
  readonly lookups: boolean;
  readonly lookupPrices: boolean;
  readonly retention: Duration;
  readonly quarantineRetention: Duration;
  /** 0 for never. */
  readonly staleAfter: Duration;
  readonly optOutsBySource: boolean;
  readonly listShards: number;
  readonly removalPolicy: RemovalPolicy;
  readonly dashboard: boolean;
  readonly tracing: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly metricsNamespace: string | undefined;
  readonly outputs: boolean;
}

/** What the parts of a pipeline are made from. */
export interface PipelineOptions extends GeneralOptions {
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
  readonly tables: TablesOptions;
  readonly webhook: WebhookOptions;
  readonly worker: WorkerOptions;
  readonly events: EventsOptions;
  /** Undefined without exports. */
  readonly exports: ExportsOptions | undefined;
  /** Undefined without insights. */
  readonly insights: InsightsOptions | undefined;
  /** Undefined without a console. */
  readonly console: ConsoleOptions | undefined;
  readonly automations: AutomationOptions;
  /** False for no alarms. */
  readonly alarms: AlarmRecipients | false;
  readonly functions: FunctionOptions;
  readonly logs: LogsOptions;
}

interface TablesOptions {
  readonly historyClass: TableClass;
  /** 0 for no backups. */
  readonly recovery: Duration;
}

interface WebhookOptions {
  /** Undefined for the address of the API. */
  readonly domain: DomainProps | undefined;
  /** Empty for every address. */
  readonly allowedSources: readonly string[];
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly alwaysParkUnverified: boolean;
  readonly captureUntil: string | undefined;
  readonly repairDrift: boolean;
  readonly secretOverlap: Duration;
  /** 0 for never. */
  readonly rotateAfter: Duration;
}

interface WorkerOptions {
  readonly batchSize: number;
  readonly batchWindow: Duration;
  readonly timeout: Duration;
  readonly maximumConcurrency: number;
  readonly maxReceiveCount: number;
}

export interface EventsOptions {
  readonly everyEvent: boolean;
  readonly parallelism: number;
  /** 0 for no archive. */
  readonly archive: Duration;
  /** Other accounts that may have their own rules on the bus. */
  readonly accounts: readonly string[];
}

export interface ExportsOptions {
  readonly retention: Duration;
}

export interface InsightsOptions {
  readonly enabled: boolean;
  readonly retention: Duration;
  readonly hourRetention: Duration;
}

/** What all functions of a pipeline share. */
export interface FunctionOptions {
  /** In MB; undefined for the default of each function. */
  readonly memorySize: number | undefined;
  readonly architecture: Architecture;
  /** Undefined for the network of Lambda. */
  readonly vpc: IVpc | undefined;
  readonly subnets: SubnetSelection | undefined;
  readonly securityGroups: readonly ISecurityGroup[] | undefined;
}

interface LogsOptions {
  readonly retention: RetentionDays;
  readonly auditRetention: RetentionDays;
  readonly encryptionKey: IKey | undefined;
  readonly access: boolean;
  readonly invocations: boolean;
}

export interface ConsoleOptions {
  /** Undefined for a user pool of Cognito. */
  readonly oidc: ConsoleOidcOptions | undefined;
  readonly domain: ConsoleDomainProps | undefined;
}

interface ConsoleOidcOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly groupsClaim: string;
}

/** The automations that are on. */
export interface AutomationOptions {
  readonly optOutContacts?: OptOutContactsOptions;
  readonly contactSync?: ContactSyncOptions;
  readonly failureAlert?: FailureAlertOptions;
  readonly forward?: ForwardOptions;
  readonly billingWatch?: true;
  readonly deliveryWatch?: true;
}

interface OptOutContactsOptions {
  readonly optOutListIds: readonly string[];
  readonly optInListIds: readonly string[];
  readonly topic: ITopic | undefined;
}

interface ContactSyncOptions {
  readonly listIds: readonly string[];
}

interface FailureAlertOptions {
  readonly period: Duration;
  readonly topic: ITopic | undefined;
}

interface ForwardOptions {
  readonly url: string;
  readonly detailTypes: readonly string[];
}

/** A group of props, and what it becomes. Each option has the name and the type of its prop. */
interface PropsAndOptions<Props extends Partial<Options>, Options> {
  readonly props: Props;
  /** Without what resolve-options.ts adds: constructs of the caller, and the groups in the group. */
  readonly options: Options;
}

/** The groups of props with their options, by the path of the props. */
export interface Groups {
  readonly pipeline: PropsAndOptions<SmsPipelineProps, GeneralOptions>;
  readonly tables: PropsAndOptions<TablesProps, TablesOptions>;
  readonly webhook: PropsAndOptions<WebhookProps, Omit<WebhookOptions, 'domain'>>;
  readonly 'webhook.domain': PropsAndOptions<DomainProps, { name: string; usedByWebhook: boolean }>;
  readonly 'webhook.domain.mutualTls': PropsAndOptions<
    MutualTlsProps,
    { key: string; version: string | undefined }
  >;
  readonly worker: PropsAndOptions<WorkerProps, WorkerOptions>;
  readonly events: PropsAndOptions<EventsProps, EventsOptions>;
  readonly exports: PropsAndOptions<ExportsProps, ExportsOptions>;
  readonly insights: PropsAndOptions<InsightsProps, InsightsOptions>;
  readonly console: PropsAndOptions<ConsoleProps, object>;
  readonly 'console.oidc': PropsAndOptions<ConsoleOidcProps, ConsoleOidcOptions>;
  readonly 'console.domain': PropsAndOptions<ConsoleDomainProps, { name: string }>;
  readonly alarms: PropsAndOptions<AlarmsProps, { enabled: boolean; runbookUrl: string | undefined }>;
  /** The options of one alarm. */
  readonly 'alarms.overrides': PropsAndOptions<AlarmOverrides, Omit<AlarmOverride, 'topic'>>;
  readonly functions: PropsAndOptions<FunctionsProps, Pick<FunctionOptions, 'memorySize'>>;
  readonly logs: PropsAndOptions<LogsProps, Omit<LogsOptions, 'encryptionKey'>>;
  readonly 'automations.optOutContacts': PropsAndOptions<
    OptOutContactsProps,
    Omit<OptOutContactsOptions, 'topic'>
  >;
  readonly 'automations.contactSync': PropsAndOptions<ContactSyncProps, ContactSyncOptions>;
  readonly 'automations.failureAlert': PropsAndOptions<FailureAlertProps, Omit<FailureAlertOptions, 'topic'>>;
  readonly 'automations.forward': PropsAndOptions<ForwardProps, ForwardOptions>;
}

export type GroupName = keyof Groups;

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
