import {
  Annotations,
  CfnDeletionPolicy,
  CfnResource,
  Names,
  RemovalPolicy,
  Stack,
  Tags,
  Token,
  TokenComparison,
} from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Connections, type IConnectable, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { contractFacts } from '../../contract/events/contract-facts.ts';
import { mainSource, sourceName } from '../../contract/events/source-id.ts';
import { canonicalStatuses } from '../../contract/schema/sms-event.ts';
import { type MetricName, metricNames, reportMetrics } from '../../functions/base/metrics.ts';
import { PipelineApi } from '../api/pipeline-api.ts';
import { addAutomations } from '../automations/automations.ts';
import { addAlarmOutputs } from '../building-blocks/alarm-outputs.ts';
import { allowLogsOn, allowPipelineOn, encryptBelow } from '../building-blocks/encryption-key.ts';
import { checkedGrant } from '../building-blocks/grants.ts';
import type { LambdaFunction } from '../building-blocks/lambda-function.ts';
import {
  warnOfClosedEndpoints,
  warnOfClosedGroups,
  warnOfMissingNames,
  warnOfMissingWays,
} from '../building-blocks/network-ways.ts';
import { refuseLongAlarms } from '../building-blocks/operator-alarm.ts';
import { canReachApi, warnOfPrivateAddress } from '../building-blocks/private-addresses.ts';
import type { BuiltFunctions } from '../bundling/function-code.ts';
import { shippedFunctions } from '../bundling/shipped-functions.ts';
import { addConsole, type Console } from '../console/console.ts';
import { builtPage } from '../console/page-bucket.ts';
import { addExports } from '../export/exports.ts';
import { athenaName } from '../export/history-catalog.ts';
import { addStorage, type Storage } from '../history/storage.ts';
import { addInsights } from '../insights/insights.ts';
import { addLookups } from '../lookups/lookups.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { malformedAttributes } from '../options/malformed-props.ts';
import type { PipelineNames, PipelineOptions } from '../options/options.ts';
import { PipelinePropsError } from '../options/pipeline-props-error.ts';
import { resolveOptions, resolveSource } from '../options/resolve-options.ts';
import { sharedKeyProblem } from '../options/shared-keys.ts';
import { shown } from '../options/shown.ts';
import { keyOfApp, problemWithKey } from '../options/usable-keys.ts';
import type { SmsPipelineAttributes } from '../props/attributes.ts';
import type { SmsPipelineProps } from '../props/props.ts';
import type { SourceProps } from '../props/source-props.ts';
import { grantRules, requireRulePrefix } from '../publish/pipeline-bus.ts';
import { addPublishing, type Publishing } from '../publish/publishing.ts';
import { grantQueries } from '../query/grant-queries.ts';
import { addQuery, type QueryFunction } from '../query/query-function.ts';
import { PipelineDashboard } from '../receive/dashboard.ts';
import { addFurtherSource } from '../receive/further-source.ts';
import { addReceiving, type Receiving } from '../receive/receiving.ts';
import { addRegistration } from '../registration/registration.ts';
import { connectAlarmTopics } from '../subscribe/alarm-topics.ts';
import {
  comparisonsOfOneSource,
  silentSubscriptions,
  unreadFields,
} from '../subscribe/silent-subscriptions.ts';
import { SmsEvents } from './sms-events.ts';
import { SmsSource } from './sms-source.ts';
import type { Subscription } from './subscription.ts';

/** A pipeline, made in this app or elsewhere. */
export interface ISmsPipeline extends IConstruct {
  /** Subscribes your own automations. */
  readonly events: SmsEvents;
  /** The bus that the pipeline publishes on. */
  readonly eventBus: IEventBus;
  /** Allows queries of the delivery history over HTTP, and nothing else. It is about messages of all sources. */
  grantQuery(grantee: IGrantable): Grant;
}

/**
 * Receives the delivery reports and replies of an SMS service at a webhook, keeps them as delivery history, and publishes what happened
 * on an event bus.
 *
 * ```ts
 * const sms = new SmsPipeline(this, 'Sms', {
 *   contract: Contract.fromFile('contract.json'),
 *   apiKey: Secret.fromSecretNameV2(this, 'Key', 'sms/api-key'),
 * });
 * sms.events.onReply(Target.lambda(fn), { keyword: ['stop'] });
 * ```
 */
export class SmsPipeline extends Construct implements ISmsPipeline, IConnectable {
  /** The address that the SMS service sends its events to. */
  readonly webhookUrl: string;
  /** The base URL of queries, without a slash at the end. They are signed with IAM: {@link grantQuery}. */
  readonly queryUrl: string;
  /** Subscribes your own automations: `events.onReply(...)`, `events.onDeliveryStatus(...)`. */
  readonly events: SmsEvents;
  /** The bus that the pipeline publishes on. docs/reference/events.md lists its events. */
  readonly eventBus: IEventBus;
  /** The name of the pipeline, which its events have as `pipeline`; unique in the account and region. */
  readonly pipelineName: string;
  /** The delivery history. docs/reference/data-model.md says how to read it. */
  readonly historyTable: ITable;
  /** Events that could not be read, and requests that could not be verified. */
  readonly quarantineTable: ITable;
  /** The counters of sends, quarter hours and days. It is empty without `insights`. */
  readonly insightsTable: ITable;
  /** The secret that the SMS service signs the requests of the source `main` with. */
  readonly webhookSecret: ISecret;
  /** Accepted requests of the source `main` that the worker has not stored yet. */
  readonly eventsQueue: IQueue;
  /** Requests of the source `main` that failed until their receives were used up. */
  readonly deadLetterQueue: IQueue;
  /** Changes of the history that could not be published. */
  readonly publisherFailuresQueue: IQueue;
  /** Answers the webhook of the source `main`. */
  readonly ingestFunction: IFunction;
  /** Stores the events of the source `main` in the delivery history. */
  readonly workerFunction: IFunction;
  /** Registers the webhook of the source `main`, watches it and rotates its secret. Without registration it counts signature mismatches. */
  readonly setupFunction: IFunction;
  /** Puts changes of the history on the bus. */
  readonly publisherFunction: IFunction;
  /** Answers queries of the delivery history. */
  readonly queryFunction: IFunction;
  /** Asks the SMS service of the source `main` for the messages that no webhook reported; there with `lookups`. */
  readonly lookupFunction?: IFunction;
  /** Counts messages; not there with `insights: { enabled: false }`. */
  readonly insightsFunction?: IFunction;
  /** Receives notices to people; there if an automation that sends them has no `topic` of yours. */
  readonly noticesTopic?: ITopic;
  /** Signs forwarded events; there with `Automation.forward`. */
  readonly forwardSecret?: ISecret;
  /** Holds the exported days; there with `exports`. */
  readonly exportBucket?: IBucket;
  /** The address of the console; there with `console`. */
  readonly consoleUrl?: string;
  private readonly sharedPath: readonly Construct[];
  private readonly query: QueryFunction;
  private readonly receiving: Receiving;
  private readonly main: SmsSource;
  private readonly storage: Storage;
  private readonly props: SmsPipelineProps;
  private readonly options: PipelineOptions;
  private readonly optionsOfSources: PipelineOptions[];
  private readonly publishing: Publishing;
  private readonly console?: Console;
  private readonly dashboard?: PipelineDashboard;

  /** Refers to a pipeline that was made elsewhere, to subscribe to its events and to let roles query its history. */
  static fromAttributes(scope: Construct, id: string, attributes: SmsPipelineAttributes): ISmsPipeline {
    return new ImportedPipeline(scope, id, attributes);
  }

  /** An error names every wrong prop. */
  constructor(scope: Construct, id: string, props: SmsPipelineProps) {
    super(scope, checkedId(id));
    const options = withSecurityGroup(
      this,
      resolveOptions(props, namesIn(this), {
        built: this._builtFunctions(),
        path: this.node.path,
        stack: Stack.of(this),
      }),
    );
    for (const [key, value] of Object.entries<string>(options.tags)) Tags.of(this).add(key, value);
    const part = (partId: string) => new Construct(this, partId);

    // What takes an event from the webhook to the bus and to the automations.
    const parts = {
      history: part('History'),
      publish: part('Publish'),
      receive: part('Receive'),
      query: part('Query'),
      insights: part('Insights'),
      automations: part('Automations'),
    };
    const storage = addStorage(parts.history, options);
    const publishing = addPublishing(parts.publish, options, storage);
    const api = new PipelineApi(this, 'Api', options);
    // More may be added until synthesis.
    const sources = [mainSource];
    const contracts = [contractFacts(mainSource, options.functionSources.contract)];
    const query = addQuery(parts.query, options, { ...storage, api, sources, contracts });
    const registration = part('Registration');
    const receiving = addReceiving(parts.receive, registration, options, {
      api,
      storage,
      eventBus: publishing.eventBus,
      readers: [publishing.publisher, query, storage.sweep],
      sources,
      contracts,
    });
    if (options.insights !== undefined)
      this.insightsFunction = addInsights(parts.insights, options, options.insights, storage).function;

    const { noticesTopic, forwardSecret } = addAutomations(parts.automations, options, storage, publishing);
    if (noticesTopic !== undefined) this.noticesTopic = noticesTopic;
    if (forwardSecret !== undefined) this.forwardSecret = forwardSecret;
    this.sharedPath = [api, ...Object.values(parts)];
    if (options.registration) addRegistration(registration, options, receiving, this.sharedPath);

    // What is optional.
    const lookups = options.lookups ? addLookups(part('Lookups'), options, storage) : undefined;
    if (options.console !== undefined) {
      this.console = addConsole(
        part('Console'),
        options,
        options.console,
        this._consolePage(),
        { ...receiving, query },
        storage,
      );
      this.consoleUrl = this.console.url;
    }
    if (options.exports !== undefined)
      this.exportBucket = addExports(part('Export'), options, storage, options.exports) as IBucket;
    // It shows every alarm that exists before it.
    if (options.dashboard)
      this.dashboard = new PipelineDashboard(this, 'Dashboard', {
        api,
        ingest: receiving.ingest,
        events: receiving.worker,
        setup: receiving.setup,
        query,
        publisher: publishing.publisher,
        historyTable: storage.historyTable,
        alarmsBelow: this,
      });
    refuseLongAlarms(this);
    addAlarmOutputs(this, options);
    if (props.encryptionKey !== undefined) {
      encryptBelow(this, props.encryptionKey);
      if (!allowPipelineOn(props.encryptionKey, Stack.of(this))) warnOfKeyPolicy(this, 'encryptionKey');
    }
    const logsKey = options.logs.encryptionKey;
    if (logsKey !== undefined && !allowLogsOn(logsKey, Stack.of(this)))
      warnOfKeyPolicy(this, 'logs.encryptionKey');

    if (options.alarms !== false && options.alarms.topic === undefined) warnOfSilentAlarms(this);
    warnOfUnusedProps(this, props, options);
    warnOfAddresses(this, options);
    connectAlarmTopics(this, options.alarms);

    this.props = props;
    this.options = options;
    this.optionsOfSources = [options];
    this.storage = storage;
    this.publishing = publishing;
    this.receiving = receiving;
    this.main = SmsSource._of(mainSource, { ...receiving, lookups });
    this.webhookUrl = receiving.webhookUrl;
    this.query = query;
    this.queryUrl = query.url;
    // Classes of CDK declare attributes as possibly undefined, which their interfaces reject under exactOptionalPropertyTypes.
    this.eventBus = publishing.eventBus;
    this.pipelineName = options.name;
    this.historyTable = storage.historyTable as ITable;
    this.quarantineTable = storage.quarantineTable as ITable;
    this.insightsTable = storage.insightsTable as ITable;
    this.webhookSecret = this.main.webhookSecret;
    this.eventsQueue = this.main.eventsQueue;
    this.deadLetterQueue = this.main.deadLetterQueue;
    this.publisherFailuresQueue = publishing.publisher.failures;
    this.ingestFunction = this.main.ingestFunction;
    this.workerFunction = this.main.workerFunction;
    this.setupFunction = this.main.setupFunction;
    this.publisherFunction = publishing.publisher.function;
    this.queryFunction = query.function;
    if (lookups !== undefined) this.lookupFunction = lookups.function;
    this.events = SmsEvents._of(this, {
      bus: publishing.eventBus,
      pipeline: options.name,
      alarms: alarmsOfSubscriptions(options.alarms),
      encryptionKey: props.encryptionKey,
    });
    this.node.addValidation({ validate: () => this.problemsWithOthers() });
    this.node.addValidation({ validate: () => tooManyResources(this, this.receiving.sources.length) });
    // The removal policy of the key may be set until synthesis.
    this.node.addValidation({
      validate: () => {
        warnOfDeletedKey(this, props.encryptionKey, options);
        return [];
      },
    });
    // Endpoints and routes may be added until synthesis.
    this.node.addValidation({
      validate: () => {
        warnOfMissingWays(this, this.optionsOfSources);
        warnOfClosedGroups(this, options);
        warnOfMissingNames(this, options);
        warnOfClosedEndpoints(this, this.optionsOfSources);
        return [];
      },
    });
    // Sources and subscriptions may be added until synthesis.
    this.node.addValidation({
      validate: () => {
        warnOfUnreadFields(this.events._subscriptions, this.optionsOfSources);
        warnOfOneSource(this.events._subscriptions, this.optionsOfSources);
        return silentSubscriptions(this.events._subscriptions, this.optionsOfSources, options);
      },
    });
  }

  /**
   * The network connections of the functions, for example for the security groups of endpoints. It throws without `functions.vpc`.
   */
  get connections(): Connections {
    const { securityGroups } = this.options.functions;
    if (securityGroups === undefined)
      throw new TypeError(
        `${this.node.path}: connections needs functions: { vpc }: the functions are in no VPC.`,
      );
    return new Connections({ securityGroups: [...securityGroups] });
  }

  /**
   * Names the other pipelines of the app that have a name which only one may have. Stacks for any account and region may be deployed to different
   * ones.
   */
  private problemsWithOthers(): string[] {
    const own = Stack.of(this);
    const isSame = (one: string, other: string) => Token.compareStrings(one, other) === TokenComparison.SAME;
    return this.node.root.node.findAll().flatMap((other) => {
      if (other === this || !(other instanceof SmsPipeline)) return [];
      const place = Stack.of(other);
      const isOfAccount = place === own || isSame(place.account, own.account);
      const isOfRegion = place === own || isSame(place.region, own.region);
      return uniqueNames.flatMap(({ prop, isGlobal, nameIn, loss }) => {
        const name = nameIn(this.options);
        return isOfAccount && (isOfRegion || isGlobal) && name !== undefined && name === nameIn(other.options)
          ? [
              `${prop}: ${other.node.path} has the same, ${JSON.stringify(name)}: ${loss}. Give each pipeline its own.`,
            ]
          : [];
      });
    });
  }

  /** @internal */
  protected _builtFunctions(): BuiltFunctions {
    return shippedFunctions();
  }

  /** @internal */
  protected _consolePage(): string {
    return builtPage();
  }

  /**
   * Adds a further source of delivery reports: another provider, or another account. It has an address, a secret, a queue and a worker of its
   * own, and shares the history, the bus, the register of opt-outs, queries and the console. The source of the pipeline's own props is `main`.
   *
   * ```ts
   * const backup = sms.addSource('backup', { contract: Contract.preset('vonage-sms'), registration: false });
   * new CfnOutput(this, 'BackupWebhook', { value: backup.webhookUrl });
   * ```
   *
   * @param name words of lower-case letters and digits, each beginning with a letter, with hyphens between them, at most 30 characters. It is in the webhook's address and in the keys of messages, so
   * another name is another source
   * @see docs/guides/several-sources.md
   */
  addSource(name: string, props: SourceProps): SmsSource {
    const path = `${this.node.path}, source ${JSON.stringify(name)}`;
    const problem = problemWithSource(name, this.receiving.sources, this.console !== undefined);
    if (problem !== undefined) throw new PipelinePropsError(path, [problem]);
    const options = resolveSource(name, props, {
      props: this.props,
      options: this.options,
      path,
      stack: Stack.of(this),
    });
    const shared = this.optionsOfSources.flatMap((other) => sharedKeyProblem(options, other) ?? []);
    if (shared.length > 0) throw new PipelinePropsError(path, shared);
    const source = addFurtherSource(this, options, this.receiving, this.storage, this.sharedPath);
    refuseLongAlarms(source.scope);
    if (this.props.encryptionKey !== undefined) encryptBelow(source.scope, this.props.encryptionKey);
    warnOfUnusedProps(this, props, options);
    warnOfUnreachableSources(this, options);
    this.optionsOfSources.push(options);
    this.console?.requests.addSource(options, source);
    this.dashboard?.addAlarmsOf(source.scope);
    return SmsSource._of(name, source);
  }

  /** Allows queries of the delivery history over HTTP, and nothing else. */
  grantQuery(grantee: IGrantable): Grant {
    return checkedGrant(this, 'grantQuery', grantee, (known: IGrantable) => this.query.grantQuery(known));
  }

  /**
   * Allows rules on the event bus whose names begin so, for events of this pipeline, and of others that publish on the same bus, and nothing else
   * there. It throws for the default bus of the account, where the names of rules do not begin with that of the bus.
   *
   * @param rulePrefix for example `orders-`; not how the names of rules of this stack begin, of which those of the automations are some
   */
  grantSubscribe(grantee: IGrantable, rulePrefix: string): Grant {
    const { path } = this.node;
    if (this.eventBus.eventBusName === 'default')
      throw new TypeError(
        `${path}: grantSubscribe needs another bus than the default one, where it would allow all rules of the account.`,
      );
    requireRulePrefix(path, rulePrefix, outermostStack(this));
    return checkedGrant(this, 'grantSubscribe', grantee, (known: IGrantable) =>
      grantRules(this.eventBus, rulePrefix, known),
    );
  }

  /** Webhook requests of the source `main` that were acknowledged; those of others are at {@link addSource}'s result. */
  metricRequestsAccepted(options?: MetricOptions): Metric {
    return this.main.metricRequestsAccepted(options);
  }

  /** Webhook requests of the source `main` that were answered with 401 or 413, and those with values that were answered with 405. */
  metricRequestsRejected(options?: MetricOptions): Metric {
    return this.main.metricRequestsRejected(options);
  }

  /** Events of the source `main` that were stored, without repeated ones. */
  metricEventsStored(options?: MetricOptions): Metric {
    return this.main.metricEventsStored(options);
  }

  /** Events of the source `main` that could not be read, and are in quarantine. */
  metricEventsQuarantined(options?: MetricOptions): Metric {
    return this.main.metricEventsQuarantined(options);
  }

  /** Events on the bus. */
  metricEventsPublished(options?: MetricOptions): Metric {
    return counted(this.publishing.publisher, 'published', options);
  }

  /** New delivery reports of a status. @param status a canonical one, for example `delivered` */
  metricReports(status: string, options?: MetricOptions): Metric {
    const known = canonicalStatuses.find((one: string) => one === status);
    if (known === undefined)
      throw new TypeError(
        `metricReports: found ${JSON.stringify(status)}, expected one of ${canonicalStatuses.join(', ')}`,
      );
    return counted(this.publishing.publisher, reportMetrics[known], options);
  }

  /** Queue messages of the source `main` that failed until their receives were used up. */
  metricDeadLetters(options?: MetricOptions): Metric {
    return this.main.metricDeadLetters(options);
  }
}

/** Returns the stack that a stack is nested in, also over several levels. */
function outermostStack(scope: Construct): Stack {
  const stack = Stack.of(scope);
  return stack.nestedStackParent === undefined ? stack : outermostStack(stack.nestedStackParent);
}

/** A name that only one pipeline of an account may have. */
interface UniqueName {
  readonly prop: string;
  /** Whether it counts in all regions together. */
  readonly isGlobal: boolean;
  nameIn(options: PipelineOptions): string | undefined;
  /** Says what happens with two. */
  readonly loss: string;
}

const uniqueNames: readonly UniqueName[] = [
  {
    prop: 'metricsNamespace',
    isGlobal: false,
    nameIn: ({ metricsNamespace }) => metricsNamespace,
    loss: 'alarms and figures of one would count the other',
  },
  {
    prop: 'webhook.domain.name',
    isGlobal: false,
    nameIn: ({ webhook }) => webhook.domain?.name,
    loss: 'API Gateway has a name once in a region, so that the deployment would fail',
  },
  {
    prop: 'console.domain.name',
    isGlobal: true,
    nameIn: (options) => options.console?.domain?.name,
    loss: 'CloudFront has a name once, so that the deployment would fail',
  },
];

/** Stands for every pipeline on a bus. */
const everyPipeline = '*';

class ImportedPipeline extends Construct implements ISmsPipeline {
  readonly events: SmsEvents;
  readonly eventBus: IEventBus;
  private readonly apiId: string | undefined;

  constructor(scope: Construct, id: string, attributes: SmsPipelineAttributes) {
    super(scope, id);
    const problems = malformedAttributes(attributes);
    if (problems.length > 0) throw new PipelinePropsError(this.node.path, problems);
    const { pipelineName, eventBusName, apiId, alarms, encryptionKey } = attributes;
    const recipients =
      alarms?.enabled !== false &&
      alarmsOfSubscriptions({ topic: alarms?.topic, runbookUrl: alarms?.runbookUrl });
    if (recipients !== false && recipients.topic === undefined) warnOfSilentAlarms(this);
    connectAlarmTopics(this, recipients);
    const keyProblem = encryptionKey && problemWithKey(encryptionKey, Stack.of(this));
    if (keyProblem)
      throw new PipelinePropsError(this.node.path, [
        `encryptionKey: found ${keyProblem.found}, expected ${keyProblem.expected}`,
      ]);
    if (encryptionKey !== undefined && !allowPipelineOn(encryptionKey, Stack.of(this)))
      warnOfKeyPolicy(this, 'encryptionKey');
    this.eventBus = eventBusName.startsWith('arn:')
      ? EventBus.fromEventBusArn(this, 'Bus', eventBusName)
      : EventBus.fromEventBusName(this, 'Bus', eventBusName);
    this.apiId = apiId;
    this.events = SmsEvents._of(this, {
      bus: EventBus.fromEventBusName(this, 'EventsBus', eventBusName),
      pipeline: pipelineName === everyPipeline ? undefined : pipelineName,
      alarms: recipients,
      encryptionKey,
    });
  }

  grantQuery(grantee: IGrantable): Grant {
    const { apiId } = this;
    if (apiId === undefined)
      throw new TypeError(
        `${this.node.path}: grantQuery needs the attribute apiId, the output ApiId of the pipeline.`,
      );
    return checkedGrant(this, 'grantQuery', grantee, (known: IGrantable) => grantQueries(this, apiId, known));
  }
}

/** Alarms of subscriptions notify the topic of tickets, and none is overridden. */
function alarmsOfSubscriptions(
  alarms: Pick<AlarmRecipients, 'topic' | 'runbookUrl'> | false,
): AlarmRecipients | false {
  return alarms && { topic: alarms.topic, page: undefined, runbookUrl: alarms.runbookUrl, overrides: {} };
}

/** Names of queues have up to 80 characters, and the function of the console has those of each source in its environment. */
const maxSourcesOfConsole = 10;

const otherPipeline =
  'Give further sources to a second pipeline in a stack of its own (docs/guides/several-sources.md, "How many sources")';

/** Returns what is wrong with the name of a new source. */
function problemWithSource(name: unknown, known: readonly string[], hasConsole: boolean): string | undefined {
  if (typeof name !== 'string' || !sourceName.test(name))
    return 'name: expected words of lower-case letters and digits, each beginning with a letter, with hyphens between them, at most 30 characters';
  if (known.includes(name)) return `name: expected another one, because there is a source ${name}`;
  return hasConsole && known.length >= maxSourcesOfConsole
    ? `name: expected at most ${maxSourcesOfConsole} sources with console: the environment of its function has room for no more names of queues and tables (4 KB). ${otherPipeline}`
    : undefined;
}

/** The names of a pipeline follow from its path in the app. */
function namesIn(pipeline: Construct): PipelineNames {
  const name = Names.uniqueResourceName(pipeline, {
    maxLength: 64,
    separator: '-',
    allowedSpecialCharacters: '-',
  });
  return {
    name,
    metricsNamespace: name,
    outputsBelow: pipeline,
    stackName: Stack.of(pipeline).stackName,
    // The name may end in a hash, which has no words.
    exportDatabase: athenaName(name.replace(/[0-9A-F]{8}$/, (hash) => hash.toLowerCase())),
  };
}

/** Gives functions in a VPC one security group together. CDK would make one for each. */
function withSecurityGroup(pipeline: Construct, options: PipelineOptions): PipelineOptions {
  const { functions } = options;
  if (functions.vpc === undefined || functions.securityGroups !== undefined) return options;
  const group = new SecurityGroup(pipeline, 'SecurityGroup', {
    vpc: functions.vpc,
    description: 'Functions of the SMS pipeline.',
  });
  // allowDefaultPortFrom(sms) of an endpoint adds a rule for traffic that the group allows already, and the CDK warns of it.
  Annotations.of(group).acknowledgeWarning('@aws-cdk/aws-ec2:ipv4IgnoreEgressRule');
  Annotations.of(group).acknowledgeWarning('@aws-cdk/aws-ec2:ipv6IgnoreEgressRule');
  return { ...options, functions: { ...functions, securityGroups: [group] } };
}

function warnOfKeyPolicy(pipeline: Construct, prop: 'encryptionKey' | 'logs.encryptionKey'): void {
  Annotations.of(pipeline).addWarningV2(
    prop === 'encryptionKey' ? 'sms-pipeline:key-policy' : 'sms-pipeline:log-key-policy',
    `The policy of ${prop} cannot be changed, because the key is imported: docs/reference/props.md, "A key of your own", has the statements that it needs.`,
  );
}

/** Returns a line if a stack with further sources has more resources than CloudFormation allows, before CDK says so without naming the sources. */
function tooManyResources(pipeline: Construct, sources: number): string[] {
  const stack = Stack.of(pipeline);
  const max = Number(stack.node.tryGetContext('@aws-cdk/core:stackResourceLimit') ?? 500);
  if (sources === 1 || max === 0) return [];
  const isOwn = (node: IConstruct) => CfnResource.isCfnResource(node) && Stack.of(node) === stack;
  const count = stack.node.findAll().filter(isOwn).length;
  return count > max
    ? [
        `addSource: found ${sources} sources in a stack of ${count} resources, expected at most ${max} resources: each source has about 40. ${otherPipeline}.`,
      ]
    : [];
}

/** Warns if the stack deletes the key of tables that it keeps. */
function warnOfDeletedKey(
  pipeline: Construct,
  key: IKey | undefined,
  { removalPolicy }: PipelineOptions,
): void {
  const resource = key && keyOfApp(key);
  if (resource?.cfnOptions.deletionPolicy !== CfnDeletionPolicy.DELETE) return;
  if (removalPolicy !== RemovalPolicy.DESTROY)
    Annotations.of(pipeline).addWarningV2(
      'sms-pipeline:deleted-key',
      'The key of encryptionKey is deleted with its stack, and the tables are kept: their content could never be read again. Make the key with RemovalPolicy.RETAIN, or give the pipeline removalPolicy: RemovalPolicy.DESTROY.',
    );
}

function warnOfUnreadFields(
  subscriptions: readonly Subscription[],
  sources: readonly PipelineOptions[],
): void {
  for (const { subscription, fields } of unreadFields(subscriptions, sources))
    Annotations.of(subscription).addWarningV2(
      'sms-pipeline:unread-field',
      `The subscription selects by ${fields.join(', ')}, which no contract of the pipeline reads: no event of the webhook has it, and the target receives none. Add it to "events.status" of the contract (docs/reference/contract.md), or select by another field.`,
    );
}

function warnOfOneSource(subscriptions: readonly Subscription[], sources: readonly PipelineOptions[]): void {
  for (const subscription of comparisonsOfOneSource(subscriptions, sources))
    Annotations.of(subscription).addWarningV2(
      'sms-pipeline:one-source',
      'The subscription is to events about a provider, which the delivery watch publishes only if the pipeline has several sources: the target receives none. Subscribe to SMS Delivery Degraded, or add a source with sms.addSource(...).',
    );
}

/** Warns of props that nothing reads. */
function warnOfUnusedProps(pipeline: Construct, props: SourceProps, options: PipelineOptions): void {
  const { registration, lookups, source } = options;
  const { lookups: lookupRules } = options.functionSources.contract;
  const isAddressUsed =
    registration ||
    (lookups && (lookupRules?.baseUrl === null || lookupRules?.authentication.kind === 'token'));
  const unused = [
    ...(props.apiKey !== undefined && !registration && !lookups ? ['apiKey'] : []),
    ...(props.serviceBaseUrl !== undefined && !isAddressUsed ? ['serviceBaseUrl'] : []),
    ...(!registration && !options.webhook.repairDrift ? ['webhook.repairDrift'] : []),
  ];
  const of = source === mainSource ? '' : ` of the source ${source}`;
  for (const prop of unused)
    Annotations.of(pipeline).addWarningV2(
      `sms-pipeline:unused-${prop}${source === mainSource ? '' : `-${source}`}`,
      `${prop}${of} has no effect: without registration, and without lookups that need it, the pipeline does not call the SMS service. Leave it out, or switch registration or lookups on.`,
    );
}

/** Warns of an address that cannot be reached, and of those from which no request can come. */
function warnOfAddresses(pipeline: Construct, options: PipelineOptions): void {
  const { automations, functions } = options;
  const { forward } = automations;
  if (forward !== undefined)
    warnOfPrivateAddress(pipeline, 'automations.forward.url', forward.url, functions.vpc !== undefined);
  warnOfUnreachableSources(pipeline, options);
}

function warnOfUnreachableSources(pipeline: Construct, { webhook, source }: PipelineOptions): void {
  const { allowedSources } = webhook;
  const [suffix, of] = source === mainSource ? ['', ''] : [`-${source}`, ` of the source ${source}`];
  if (allowedSources.length > 0 && !allowedSources.some(canReachApi))
    Annotations.of(pipeline).addWarningV2(
      `sms-pipeline:unreachable-sources${suffix}`,
      `webhook.allowedSources${of} has only private and IPv6 addresses, and no request can come from these: the API is public, and answers at IPv4 addresses. Every request would get 403. Add the public IPv4 addresses of the SMS service.`,
    );
}

function warnOfSilentAlarms(scope: Construct): void {
  Annotations.of(scope).addWarningV2(
    'sms-pipeline:no-alarm-topic',
    'No alarm notifies an operator: give a topic as alarms: { topic } (setting sms:alarmTopicArn), or alarms: { enabled: false } for a development stack.',
  );
}

function counted(fn: LambdaFunction, metric: MetricName, options?: MetricOptions): Metric {
  return fn.metricCounted(metricNames[metric]).with(options ?? {});
}

/** Returns the id of a construct. An app of JavaScript may give the props in its place, of which the constructs library would name no argument. */
function checkedId(id: unknown): string {
  if (typeof id === 'string') return id;
  throw new TypeError(
    `SmsPipeline: id: found ${shown(id)}, expected a text: new SmsPipeline(this, 'Sms', { contract })`,
  );
}
