import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { AlarmsProps } from './alarms.ts';
import type { Automation } from './automation.ts';
import type { Contract } from './contract.ts';
import type { Keywords } from './keywords.ts';

/** A pipeline for the delivery reports and replies of one SMS service. */
export interface SmsPipelineProps {
  /**
   * How the SMS service signs its requests and writes its events. `Contract.fromFile('contract.json')` reads it.
   *
   * @see docs/reference/contract.md
   */
  readonly contract: Contract;
  /**
   * The secret with the API key of the SMS service. It is text or the value of `apiKey` in a JSON object, and the pipeline only reads it.
   *
   * @default - none, which needs `registration: false` and no `lookups`
   */
  readonly apiKey?: ISecret;
  /**
   * The words of replies that opt out, opt in or ask for help.
   *
   * @default - the words in keywords.json of the package
   */
  readonly keywords?: Keywords;
  /**
   * The base URL of the SMS service.
   *
   * @default - `service.baseUrl` of the contract
   */
  readonly serviceBaseUrl?: string;
  /**
   * Registers the webhook at the SMS service, watches it and rotates its secret. False if the service has no API for that: you
   * enter the webhook's URL in its console, and store the secret with `webhook store-secret`.
   *
   * @default - true if the contract says how the service registers webhooks
   * @see docs/start/deploy.md#a-service-of-another-api
   */
  readonly registration?: boolean;
  /**
   * Asks the SMS service for the messages that no webhook reported, every 15 minutes. It needs `lookups` in the contract and `apiKey`.
   *
   * @default false
   * @see docs/operate/look-ups.md
   */
  readonly lookups?: boolean;
  /**
   * Stores the price, the segments and the network that only look-ups know. It writes each such message once more.
   *
   * @default false
   * @see docs/operate/look-ups.md#prices
   */
  readonly lookupPrices?: boolean;
  /**
   * Messages and replies are kept for this long, in whole days.
   *
   * @default Duration.days(400)
   */
  readonly retention?: Duration;
  /**
   * Events that could not be read are kept for this long, in whole days.
   *
   * @default Duration.days(90)
   */
  readonly quarantineRetention?: Duration;
  /**
   * A message without a final report is marked `unknown` after this time, in whole hours. `Duration.hours(0)` marks none.
   *
   * @default Duration.hours(72)
   */
  readonly staleAfter?: Duration;
  /**
   * Counts an opt-out only for the source that it was said to, where law or consent is by sender. Otherwise a STOP at one source counts for all.
   * The sources of {@link SmsPipeline.addSource} are the senders.
   *
   * @default false
   * @see docs/guides/several-sources.md
   */
  readonly optOutsBySource?: boolean;
  /**
   * The keys among which each list is split: pending and failed messages, the messages of a send, replies, opt-outs, and the quarantine of a day. One key accepts 1,000 writes a second. The number may grow, and must not shrink.
   *
   * @default 1
   * @see docs/reference/data-model.md#shards
   */
  readonly listShards?: number;
  /**
   * What happens to the tables, the webhook's secret, and the buckets of exports and of the console's page, when the stack is deleted.
   * `RemovalPolicy.DESTROY` deletes them with everything in them, and protects the tables from no deletion: it is for development.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
  /** @default - the defaults of {@link TablesProps} */
  readonly tables?: TablesProps;
  /** @default - the defaults of {@link WebhookProps} */
  readonly webhook?: WebhookProps;
  /** @default - the defaults of {@link WorkerProps} */
  readonly worker?: WorkerProps;
  /** @default - the defaults of {@link EventsProps} */
  readonly events?: EventsProps;
  /**
   * An event bus of yours in the account and region of the stack, on which the pipeline publishes. The source of its events is `sms.pipeline`.
   * `events.accounts` is not for it, because you own its policy.
   *
   * @default - a bus of the pipeline
   * @see docs/reference/props.md#a-bus-of-your-own
   */
  readonly eventBus?: IEventBus;
  /**
   * Concurrent invocations reserved for queries, and their limit.
   *
   * @default - none are reserved
   * @see docs/concepts/security.md#what-guards-the-bill
   */
  readonly queryReservedConcurrency?: number;
  /**
   * Exports each day's changes of the history to S3, for Athena.
   *
   * @default - no exports
   * @see docs/guides/analyse-with-athena.md
   */
  readonly exports?: ExportsProps;
  /**
   * Counts messages by send, hour, day and country, live.
   *
   * @default - the defaults of {@link InsightsProps}
   * @see docs/reference/insights.md
   */
  readonly insights?: InsightsProps;
  /**
   * A page for colleagues, behind a sign-in. It takes CloudFront, S3, a user pool of Cognito, and an HTTP API of its own.
   *
   * @default - none: `sms console` serves it on an operator's machine
   * @see docs/guides/deploy-the-console.md
   */
  readonly console?: ConsoleProps;
  /**
   * Automations that follow the events, each at most once.
   *
   * @default - none
   * @see docs/guides/automations/index.md
   */
  readonly automations?: Automation[];
  /**
   * Whom alarms notify, and when.
   *
   * @default - alarms that notify no one, with a warning at synth
   */
  readonly alarms?: AlarmsProps;
  /**
   * Shows the path of an event on one page of CloudWatch.
   *
   * @default true
   */
  readonly dashboard?: boolean;
  /**
   * The memory, the processor and the network of all functions of the pipeline.
   *
   * @default - the defaults of {@link FunctionsProps}
   * @see docs/reference/props.md#functions-in-a-vpc
   */
  readonly functions?: FunctionsProps;
  /** @default - the defaults of {@link LogsProps} */
  readonly logs?: LogsProps;
  /**
   * Traces the functions with X-Ray, which is billed per trace.
   *
   * @default false
   */
  readonly tracing?: boolean;
  /**
   * Encrypts the tables, queues, secrets and topics of the pipeline. Give it a key of its own: with a key of this app, everyone in the
   * account who may use a table, queue, secret or topic under the key may then use the key, for your other data under it too. Its policy must let CloudWatch and EventBridge use it
   * (docs/reference/props.md, "A key of your own").
   *
   * @default - keys that AWS owns
   * @see docs/concepts/security.md#a-key-of-your-own
   */
  readonly encryptionKey?: IKey;
  /**
   * The namespace of the pipeline's metrics. It is unique in the account and region.
   *
   * @default - a name made of the construct's path
   * @see docs/reference/metrics.md
   */
  readonly metricsNamespace?: string;
  /**
   * Adds outputs to the stack. Without them the command line `sms` and the local run do not find the pipeline.
   *
   * @default true
   * @see docs/reference/outputs.md
   */
  readonly outputs?: boolean;
}

/** How the tables keep what is stored. */
export interface TablesProps {
  /**
   * The class of the history table. STANDARD_INFREQUENT_ACCESS costs less from 240 days of {@link SmsPipelineProps.retention} on, where
   * the account stores more than the 25 GB of class Standard that are free. DynamoDB changes it at most twice in 30 days.
   *
   * @default TableClass.STANDARD
   * @see docs/reference/cost.md#class-and-backups
   */
  readonly historyClass?: TableClass;
  /**
   * The tables can be restored to any second of this time, in whole days. Its length, 1 to 35, does not change the price;
   * `Duration.days(0)` keeps no backups.
   *
   * @default Duration.days(35)
   * @see docs/reference/cost.md#class-and-backups
   */
  readonly recovery?: Duration;
}

/** The webhook of a source. */
export interface SourceWebhookProps {
  /**
   * Ranges of IP addresses (CIDR) that may call the webhook. Others are answered with 403. At most 50.
   *
   * @default - every address
   */
  readonly allowedSources?: string[];
  /**
   * Concurrent invocations reserved for the webhook's function, and its limit.
   *
   * @default - none are reserved
   * @see docs/concepts/security.md#what-guards-the-bill
   */
  readonly reservedConcurrency?: number;
  /**
   * Requests with an unknown signature always wait for the service's secret, and not only while a rotation is under way.
   *
   * @default false
   * @see docs/reference/glossary.md
   */
  readonly alwaysParkUnverified?: boolean;
  /**
   * Requests that would be rejected are kept until this time in UTC. They are in quarantine, to write or fix a contract. The time is at
   * most 7 days ahead: `2026-01-15T12:00:00Z`.
   *
   * @default - nothing is captured
   * @see docs/reference/contract.md#what-capturing-keeps-and-when-it-ends
   */
  readonly captureUntil?: string;
  /**
   * Repairs the webhook when another actor changed it. False only reports the change.
   *
   * @default true
   */
  readonly repairDrift?: boolean;
  /**
   * The previous secret is accepted for this long after a rotation, in whole hours.
   *
   * @default Duration.hours(24)
   */
  readonly secretOverlap?: Duration;
  /**
   * The secret is rotated at this age, in whole days.
   *
   * @default - never
   */
  readonly rotateAfter?: Duration;
}

/** The webhook that the SMS service calls. All sources share the domain and the rate, because they share the API. */
export interface WebhookProps extends SourceWebhookProps {
  /**
   * A custom domain of the HTTP API.
   *
   * @default - API Gateway's own address
   */
  readonly domain?: DomainProps;
  /**
   * Requests a second that the API accepts.
   *
   * @default 1000
   * @see docs/reference/limits.md
   */
  readonly ratePerSecond?: number;
  /**
   * Requests that the API accepts at once.
   *
   * @default 1000
   */
  readonly burst?: number;
}

/** A custom domain. Its owner creates the DNS record, of which the outputs are the target. */
export interface DomainProps {
  /**
   * The host name of the API, in lower case.
   *
   * @see docs/guides/custom-domain.md
   */
  readonly name: string;
  /** A certificate of ACM in the region of the stack. */
  readonly certificate: ICertificate;
  /**
   * The SMS service calls the webhook at this name. False, until DNS points to the domain, leaves it at API Gateway's own address.
   *
   * @default true
   */
  readonly usedByWebhook?: boolean;
  /**
   * Accepts only clients with a certificate of these authorities. It disables API Gateway's own address.
   *
   * @default - no mutual TLS
   */
  readonly mutualTls?: MutualTlsProps;
}

/** The certificates of the authorities whose clients are accepted. */
export interface MutualTlsProps {
  /** The bucket with the file of certificates. */
  readonly bucket: IBucket;
  /** The key of the file in the bucket. */
  readonly key: string;
  /**
   * The version of the object.
   *
   * @default - the newest version
   */
  readonly version?: string;
}

/** The function that stores events. */
export interface WorkerProps {
  /**
   * Larger batches cost less and are stored later.
   *
   * @default 6
   * @see docs/reference/limits.md#batches-latency-against-cost
   */
  readonly batchSize?: number;
  /**
   * A batch waits for this long to become full, in whole seconds. Lambda may wait for up to 20 seconds while few events arrive. With zero it never
   * waits, and a batch has at most ten.
   *
   * @default Duration.seconds(1)
   */
  readonly batchWindow?: Duration;
  /**
   * The worker's timeout, in whole seconds. It begins no write in its last five seconds.
   *
   * @default Duration.seconds(20)
   */
  readonly timeout?: Duration;
  /**
   * Concurrent invocations of the worker, which protects the table.
   *
   * @default 50
   * @see docs/reference/limits.md#batches-latency-against-cost
   */
  readonly maximumConcurrency?: number;
  /**
   * A request goes to the dead-letter queue after this many receives, at least 13.
   *
   * @default 20
   */
  readonly maxReceiveCount?: number;
}

/** What is published on the event bus. */
export interface EventsProps {
  /**
   * Publishes every delivery report, not only changes of status.
   *
   * @default false
   */
  readonly everyEvent?: boolean;
  /**
   * Batches of a stream's shard that are published at once.
   *
   * @default 2
   */
  readonly parallelism?: number;
  /**
   * Published events are kept for replays for this long, in whole days. `Duration.days(0)` keeps none.
   *
   * @default Duration.days(30)
   * @see docs/reference/events.md#replay
   */
  readonly archive?: Duration;
  /**
   * Ids of AWS accounts that may have their own rules on the bus.
   *
   * @default - none
   * @see docs/reference/events.md#other-accounts
   */
  readonly accounts?: string[];
  /**
   * Puts the schemas of the events into a registry of EventBridge.
   *
   * @default false
   */
  readonly schemaRegistry?: boolean;
}

/** The counters of sends, quarter hours and days. */
export interface InsightsProps {
  /**
   * Counts messages live. False counts nothing, and the figures of sends and days are not there.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Counters of sends and days are kept for this long, in whole days.
   *
   * @default Duration.days(400)
   */
  readonly retention?: Duration;
  /**
   * Counters of quarter hours are kept for this long, in whole days. Hours are added up from them.
   *
   * @default Duration.days(70)
   */
  readonly hourRetention?: Duration;
}

/** Exports of the history to S3. */
export interface ExportsProps {
  /**
   * Exported files are kept for this long, in whole days.
   *
   * @default Duration.days(400)
   */
  readonly retention?: Duration;
}

/** The console in the browser. */
export interface ConsoleProps {
  /**
   * Your own OpenID Connect provider signs users in.
   *
   * @default - a user pool of Cognito, with a second factor
   */
  readonly oidc?: ConsoleOidcProps;
  /**
   * A name of your own. Its owner creates the DNS record, of which the output ConsoleDomainTarget is the target.
   *
   * @default - CloudFront's own name, for which CloudFront chooses the oldest TLS version that it accepts
   */
  readonly domain?: ConsoleDomainProps;
}

/** An OpenID Connect provider with a public client: authorization code with PKCE, without a secret. */
export interface ConsoleOidcProps {
  /**
   * The issuer of your own OpenID Connect provider. It is the one of its discovery document: `https://login.example.com/tenant`.
   *
   * @see docs/guides/deploy-the-console.md#your-own-provider
   */
  readonly issuer: string;
  /** The id of the client at the provider. */
  readonly clientId: string;
  /**
   * The claim of ID tokens that lists the user's groups. Viewer, support and operator count.
   *
   * @default 'groups'
   */
  readonly groupsClaim?: string;
}

/** A custom domain of the console. */
export interface ConsoleDomainProps {
  /** The host name of the console, in lower case. */
  readonly name: string;
  /** A certificate of ACM in us-east-1. CloudFront looks for it there. */
  readonly certificate: ICertificate;
}

/** How all functions of the pipeline run. The CDK's own function that uploads the console's page is not among them. */
export interface FunctionsProps {
  /**
   * The memory of each function in MB, 256 to 10240. A function that needs more by default keeps it.
   *
   * @default - 256, 512 or 1024, by function
   */
  readonly memorySize?: number;
  /**
   * The processor of each function.
   *
   * @default Architecture.ARM_64
   */
  readonly architecture?: Architecture;
  /**
   * The functions reach their services through this VPC: AWS's by a NAT gateway or by endpoints, the SMS service by a NAT gateway.
   *
   * @default - the network of Lambda
   * @see docs/reference/props.md#functions-in-a-vpc
   */
  readonly vpc?: IVpc;
  /**
   * The subnets of the functions. Public ones have no way to the internet for functions.
   *
   * @default - the private subnets of `vpc`
   */
  readonly subnets?: SubnetSelection;
  /**
   * The security groups of the functions, which must let them call HTTPS.
   *
   * @default - one of the pipeline, which allows all outbound traffic
   */
  readonly securityGroups?: ISecurityGroup[];
}

/** What CloudWatch Logs keeps. */
export interface LogsProps {
  /**
   * Log lines are kept for this long.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly retention?: RetentionDays;
  /**
   * Encrypts the log groups. It may be {@link SmsPipelineProps.encryptionKey}. Its policy must let CloudWatch Logs use it (docs/reference/props.md,
   * "A key of your own").
   *
   * @default - keys that AWS owns
   * @see docs/reference/props.md#a-key-of-your-own
   */
  readonly encryptionKey?: IKey;
  /**
   * A line for each request of the API; some metrics and alarms need it.
   *
   * @default true
   * @see docs/reference/cost.md#logs
   */
  readonly access?: boolean;
  /**
   * Lambda's own lines, with the duration and memory of each invocation.
   *
   * @default false
   */
  readonly invocations?: boolean;
}
