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
   * The contract says how the SMS service signs its requests and writes its events. `Contract.fromFile('contract.json')` reads it.
   *
   * @see docs/reference/contract.md
   */
  readonly contract: Contract;
  /**
   * This secret holds the API key of the SMS service. It is text or the value of `apiKey` in a JSON object, and the pipeline only reads it.
   *
   * @default - none, which needs `registration: false` and no `lookups`
   */
  readonly apiKey?: ISecret;
  /**
   * A reply of one of these words opts the number out, opts it in, or asks for help.
   *
   * @default - the words in keywords.json of the package
   */
  readonly keywords?: Keywords;
  /**
   * The pipeline calls the API of the SMS service at this base URL.
   *
   * @default - `service.baseUrl` of the contract
   */
  readonly serviceBaseUrl?: string;
  /**
   * The pipeline registers the webhook at the SMS service, watches it and rotates its secret. False if the service has no API for that: you
   * enter the webhook's URL in its console, and store the secret with `webhook store-secret`.
   *
   * @default - true if the contract says how the service registers webhooks
   * @see docs/start/deploy.md#without-registration
   */
  readonly registration?: boolean;
  /**
   * The pipeline asks the SMS service every 15 minutes for the messages that no webhook reported. It needs `lookups` in the contract and `apiKey`.
   *
   * @default false
   * @see docs/operate/lookups.md
   */
  readonly lookups?: boolean;
  /**
   * The pipeline stores the price, the segments and the network that only lookups know. It writes each such message once more.
   *
   * @default false
   * @see docs/operate/lookups.md#prices
   */
  readonly lookupPrices?: boolean;
  /**
   * Messages and replies are kept for this long, in whole days.
   *
   * @default Duration.days(400)
   */
  readonly retention?: Duration;
  /**
   * Events that could not be read are kept for this long, in whole days. One that is replayed later than `retention` after its receipt is
   * published, and its opt-out is recorded, but its message expires at once.
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
   * An opt-out counts only for the source to which the person said it, because law or consent is by sender. Otherwise a STOP at one source counts for all.
   * The sources of {@link SmsPipeline.addSource} are the senders.
   *
   * @default false
   * @see docs/guides/several-sources.md
   */
  readonly optOutsBySource?: boolean;
  /**
   * Each list is split among this many keys: pending and failed messages, the messages of a send, replies, opt-outs, and the quarantine of a day. One key accepts 1,000 writes a second. The number may grow, and must not shrink.
   *
   * @default 1
   * @see docs/reference/data-model.md#shards
   */
  readonly listShards?: number;
  /**
   * When the stack is deleted, the tables, the webhook's secret, and the buckets of exports and of the console's page are kept, or deleted too.
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
   * The pipeline publishes on this event bus of yours, in the account and region of the stack. The source of its events is `sms.pipeline`.
   * `events.accounts` is not for it, because you own its policy.
   *
   * @default - a bus of the pipeline
   * @see docs/reference/props.md#a-bus-of-your-own
   */
  readonly eventBus?: IEventBus;
  /**
   * The changes of the history are exported to S3 each day, for Athena.
   *
   * @default - no exports
   * @see docs/guides/analyse-with-athena.md
   */
  readonly exports?: ExportsProps;
  /**
   * Messages are counted live, by send, hour, day and country.
   *
   * @default - the defaults of {@link InsightsProps}
   * @see docs/reference/insights.md
   */
  readonly insights?: InsightsProps;
  /**
   * Colleagues get a page in the browser, behind a sign-in. It takes CloudFront, S3, a user pool of Cognito, and an HTTP API of its own.
   *
   * @default - none: `sms console` serves it on an operator's machine
   * @see docs/guides/deploy-the-console.md
   */
  readonly console?: ConsoleProps;
  /**
   * These automations follow the events. Each kind may be there once.
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
   * One page of CloudWatch shows the path of an event.
   *
   * @default true
   */
  readonly dashboard?: boolean;
  /**
   * All functions of the pipeline have this memory, processor and network.
   *
   * @default - the defaults of {@link FunctionsProps}
   * @see docs/reference/props.md#functions-in-a-vpc
   */
  readonly functions?: FunctionsProps;
  /** @default - the defaults of {@link LogsProps} */
  readonly logs?: LogsProps;
  /**
   * X-Ray traces the functions, and bills each trace.
   *
   * @default false
   * @see docs/operate/monitoring-elsewhere.md#opentelemetry
   */
  readonly tracing?: boolean;
  /**
   * The tables, queues, secrets and topics of the pipeline are encrypted with this key, or else with keys that AWS owns. Give it a key of its own: with a key of this app, everyone in the
   * account who may use a table, queue, secret or topic under the key may then use the key, for your other data under it too. Its policy must let CloudWatch and EventBridge use it
   * (docs/reference/props.md, "A key of your own").
   *
   * @default - keys that AWS owns
   * @see docs/concepts/security.md#a-key-of-your-own
   */
  readonly encryptionKey?: IKey;
  /**
   * Each resource of the pipeline has these tags, for example to see its cost in AWS's bill, or to name its owner.
   *
   * @default - no tags
   * @see docs/guides/stages.md#what-each-pipeline-costs
   */
  readonly tags?: { [key: string]: string };
  /**
   * The metrics of the pipeline have this namespace. It is unique in the account and region.
   *
   * @default - a name made of the construct's path
   * @see docs/reference/metrics.md
   */
  readonly metricsNamespace?: string;
  /**
   * The stack has outputs, by which the command line `sms` and the local run find the pipeline.
   *
   * @default true
   * @see docs/reference/outputs.md
   */
  readonly outputs?: boolean;
}

/** How the tables keep what is stored. */
export interface TablesProps {
  /**
   * The history table has this table class, which decides what storage and requests cost. STANDARD_INFREQUENT_ACCESS costs less from 200 days of {@link SmsPipelineProps.retention} on, where
   * the account stores more than the 25 GB of class Standard that are free. DynamoDB changes it at most twice in 30 days.
   *
   * @default TableClass.STANDARD
   * @see docs/reference/cost.md#class-and-backups
   */
  readonly historyClass?: TableClass;
  /**
   * The tables can be restored to any second within this time, in whole days. Its length, 1 to 35, does not change the price;
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
   * Only these ranges of IP addresses (CIDR) may call the webhook, and others are answered with 403. There are at most 50.
   *
   * @default - every address
   */
  readonly allowedSources?: string[];
  /**
   * A request with an unknown signature waits for the service's secret: always, or only while a rotation is under way.
   *
   * @default false
   * @see docs/reference/glossary.md
   */
  readonly alwaysParkUnverified?: boolean;
  /**
   * Until this time in UTC, requests that would be rejected are kept in quarantine, to write or fix a contract. The time is at
   * most 7 days ahead: `2026-01-15T12:00:00Z`.
   *
   * @default - nothing is captured
   * @see docs/reference/contract.md#what-capturing-keeps-and-when-it-ends
   */
  readonly captureUntil?: string;
  /**
   * The pipeline repairs the webhook when another actor changed it. False only reports the change.
   *
   * @default true
   */
  readonly repairDrift?: boolean;
  /**
   * After a rotation, the previous secret is accepted for this long, in whole hours.
   *
   * @default Duration.hours(24)
   */
  readonly secretOverlap?: Duration;
  /**
   * The secret is rotated when it is this old, in whole days.
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
   * The API accepts this many requests a second, and answers others with 429.
   *
   * @default 1000
   * @see docs/reference/limits.md
   */
  readonly ratePerSecond?: number;
  /**
   * The API accepts this many requests at once. Set it to about `ratePerSecond`, also if you raise that.
   *
   * @default 1000
   */
  readonly burst?: number;
}

/** A custom domain. Its owner creates the DNS record, of which the outputs are the target. */
export interface DomainProps {
  /**
   * The API has this host name, in lower case.
   *
   * @see docs/guides/custom-domain.md
   */
  readonly name: string;
  /** The API's domain uses this certificate of ACM, which is in the region of the stack. */
  readonly certificate: ICertificate;
  /**
   * The SMS service calls the webhook at the name of the domain, or else at API Gateway's own address. Leave it false until DNS points to the domain.
   *
   * @default true
   */
  readonly usedByWebhook?: boolean;
  /**
   * The API accepts only clients with a certificate of these authorities. It disables API Gateway's own address.
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
   * The API reads this version of the file of certificates.
   *
   * @default - the newest version
   */
  readonly version?: string;
}

/** The function that stores events. */
export interface WorkerProps {
  /**
   * The worker stores at most this many requests in one batch: larger batches cost less, and are stored later.
   *
   * @default 6
   * @see docs/reference/limits.md#batches-latency-against-cost
   */
  readonly batchSize?: number;
  /**
   * A batch of the worker waits for this long to become full, in whole seconds. Lambda may wait for up to 20 seconds while few events arrive. With zero it never
   * waits, and a batch has at most ten.
   *
   * @default Duration.seconds(1)
   */
  readonly batchWindow?: Duration;
  /**
   * The worker must have finished a batch within this time, in whole seconds. It begins no write in its last five seconds.
   *
   * @default Duration.seconds(20)
   */
  readonly timeout?: Duration;
  /**
   * At most this many invocations of the worker run at once, which protects the table.
   *
   * @default 50
   * @see docs/reference/limits.md#batches-latency-against-cost
   */
  readonly maximumConcurrency?: number;
  /**
   * A request goes to the dead-letter queue after this many receives, which are at least 13.
   *
   * @default 20
   */
  readonly maxReceiveCount?: number;
}

/** What is published on the event bus. */
export interface EventsProps {
  /**
   * Every delivery report is published, and not only changes of status.
   *
   * @default false
   */
  readonly everyEvent?: boolean;
  /**
   * This many batches of a shard of the stream are published at once.
   *
   * @default 2
   */
  readonly parallelism?: number;
  /**
   * Published events are kept for this long, so that they can be replayed, in whole days. `Duration.days(0)` keeps none.
   *
   * @default Duration.days(30)
   * @see docs/reference/events.md#replay
   */
  readonly archive?: Duration;
  /**
   * The AWS accounts with these ids may have their own rules on the bus.
   *
   * @default - none
   * @see docs/reference/events.md#other-accounts
   */
  readonly accounts?: string[];
}

/** The counters of sends, quarter hours and days. */
export interface InsightsProps {
  /**
   * Messages are counted live, which all figures of sends and days need.
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
   * Counters of quarter hours are kept for this long, in whole days. Hours are added up from them, and `Automation.deliveryWatch` needs 29 days.
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
   * Users sign in at your own OpenID Connect provider with this issuer. It is the one of its discovery document: `https://login.example.com/tenant`.
   *
   * @see docs/guides/deploy-the-console.md#your-own-provider
   */
  readonly issuer: string;
  /** The console has this client id at the provider. */
  readonly clientId: string;
  /**
   * This claim of ID tokens lists the groups of the user. Viewer, support and operator count.
   *
   * @default 'groups'
   */
  readonly groupsClaim?: string;
}

/** A custom domain of the console. */
export interface ConsoleDomainProps {
  /** The console has this host name, in lower case. */
  readonly name: string;
  /** The console's domain uses this certificate of ACM, which is in us-east-1. CloudFront looks for it there. */
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
   * The log groups of the query API and of the console, which record who saw whole numbers, keep their lines for this long. They remain if
   * the stack is destroyed and {@link SmsPipelineProps.removalPolicy} keeps the data.
   *
   * @default RetentionDays.THIRTEEN_MONTHS
   * @see docs/operate/access.md
   */
  readonly auditRetention?: RetentionDays;
  /**
   * This key encrypts the log groups. It may be {@link SmsPipelineProps.encryptionKey}. Its policy must let CloudWatch Logs use it (docs/reference/props.md,
   * "A key of your own").
   *
   * @default - keys that AWS owns
   * @see docs/reference/props.md#a-key-of-your-own
   */
  readonly encryptionKey?: IKey;
  /**
   * API Gateway writes a line for each request, which some metrics and alarms need.
   *
   * @default true
   * @see docs/reference/cost.md#logs
   */
  readonly access?: boolean;
  /**
   * Lambda writes its own lines, with the duration and memory of each invocation.
   *
   * @default false
   */
  readonly invocations?: boolean;
}
