import { type Duration, Token, TokenComparison } from 'aws-cdk-lib';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Construct } from 'constructs';
import { type DetailType, detailTypes } from '../../functions/publish/shapes.ts';
import type { BuiltFunctions, FunctionSources } from '../bundling/function-code.ts';
import type { AlarmRecipients } from './alarms.ts';
import type { AutomationConfig } from './automation.ts';
import { Keywords } from './keywords.ts';
import { unknownProps } from './known-props.ts';
import { expectationOf, type Limit, limits } from './limits.ts';
import type {
  ConsoleDomainProps,
  ConsoleOidcProps,
  ConsoleProps,
  DomainProps,
  SmsPipelineProps,
} from './props.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from './queue-timing.ts';
import { isWrong, type TextRule, texts } from './texts.ts';

/** A pipeline with every default filled in: what its parts are made from. */
export interface PipelineOptions {
  /** Names the HTTP API, its access log and the event bus; unique in the account and region. */
  readonly name: string;
  readonly metricsNamespace: string;
  /** The construct whose logical ids the outputs have; undefined for exact names. */
  readonly outputsBelow: Construct | undefined;
  /** The names of all stacks of the pipeline. */
  readonly stackNames: readonly string[];
  /** Athena accepts it without quotes. */
  readonly exportDatabase: string;
  /** What the functions are made from. */
  readonly sources: FunctionSources;
  readonly serviceBaseUrl: string;
  /** Undefined without registration only. */
  readonly apiKey: ISecret | undefined;
  readonly registration: boolean;
  readonly retentionDays: number;
  readonly quarantineRetentionDays: number;
  /** 0 for never. */
  readonly staleAfterHours: number;
  readonly listShards: number;
  readonly tables: TablesOptions;
  readonly webhook: WebhookOptions;
  readonly worker: WorkerOptions;
  readonly events: EventsOptions;
  /** 0 for none. */
  readonly queryReservedConcurrency: number;
  /** Undefined without exports. */
  readonly exports: { readonly retentionDays: number } | undefined;
  /** Undefined without insights. */
  readonly insights: { readonly retentionDays: number; readonly hourRetentionDays: number } | undefined;
  /** Undefined without a console. */
  readonly console: ConsoleOptions | undefined;
  readonly automations: AutomationOptions;
  /** False for no alarms. */
  readonly alarms: AlarmRecipients | false;
  readonly alarmThresholds: AlarmThresholdOptions;
  readonly dashboard: boolean;
  readonly logs: {
    readonly retention: RetentionDays;
    readonly access: boolean;
    readonly invocations: boolean;
  };
  readonly tracing: boolean;
}

export interface ConsoleOptions {
  /** Undefined for a user pool of Cognito. */
  readonly oidc: Required<ConsoleOidcProps> | undefined;
  readonly domain: ConsoleDomainProps | undefined;
}

interface TablesOptions {
  readonly historyClass: TableClass;
  /** 0 for no backups. */
  readonly recoveryDays: number;
}

interface WebhookOptions {
  readonly domain: DomainProps | undefined;
  readonly allowedSources: readonly string[];
  readonly ratePerSecond: number;
  readonly burst: number;
  /** 0 for none. */
  readonly reservedConcurrency: number;
  readonly parkUnverified: 'rotating' | 'always';
  readonly captureUntil: string | undefined;
  readonly onDrift: 'repair' | 'report';
  readonly secretOverlapHours: number;
  /** 0 for never. */
  readonly rotateAfterDays: number;
}

interface WorkerOptions {
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly timeoutSeconds: number;
  readonly maximumConcurrency: number;
  readonly maxReceiveCount: number;
}

interface AlarmThresholdOptions {
  readonly requestsNotAccepted: number;
  readonly requestsRejected: number;
  readonly eventsQuarantined: number;
  readonly queueBehindSeconds: number;
  readonly publisherBehindMs: number;
  readonly queriesFailed: number;
}

interface EventsOptions {
  readonly everyEvent: boolean;
  readonly parallelism: number;
  /** 0 for no archive. */
  readonly archiveDays: number;
  readonly accounts: readonly string[];
  readonly schemaRegistry: boolean;
}

/** The automations that are on. */
export interface AutomationOptions {
  readonly optOutContacts?: {
    readonly optOutListIds: readonly string[];
    readonly optInListIds: readonly string[];
    readonly topic: ITopic | undefined;
  };
  readonly contactSync?: { readonly listIds: readonly string[]; readonly periodHours: number };
  readonly failureAlert?: { readonly periodMinutes: number; readonly topic: ITopic | undefined };
  readonly forward?: { readonly url: string; readonly detailTypes: readonly DetailType[] };
  readonly billingWatch?: { readonly beforeDays: number };
  readonly deliveryWatch?: true;
}

/** Returns whether the pipeline itself puts a webhook right that was changed elsewhere, and stores its new secret. */
export function isRepaired({
  registration,
  webhook,
}: Pick<PipelineOptions, 'registration' | 'webhook'>): boolean {
  return registration && webhook.onDrift === 'repair';
}

/** Thrown for props that are wrong or contradict each other; the message has a line for each, with its name. */
export class PipelinePropsError extends Error {
  override readonly name = 'PipelinePropsError';

  constructor(path: string, problems: readonly string[]) {
    super([`The props of the SMS pipeline ${path} are wrong:`, ...problems].join('\n  '));
  }
}

/** What a pipeline is called, which follows from where it is in the app. */
export type PipelineNames = Pick<
  PipelineOptions,
  'name' | 'metricsNamespace' | 'outputsBelow' | 'stackNames' | 'exportDatabase'
>;

/**
 * Fills in the defaults, and checks every prop that is known at synth.
 *
 * @param path names the pipeline in messages
 * @param region of the stack
 * @throws PipelinePropsError naming every wrong prop
 */
export function resolveOptions(
  props: SmsPipelineProps,
  names: PipelineNames,
  { built, path, region }: { readonly built: BuiltFunctions; readonly path: string; readonly region: string },
): PipelineOptions {
  const problems: string[] = [...unknownProps(props)];
  const problem = (prop: string, found: unknown, expected: string) => {
    problems.push(`${prop}: found ${shown(found)}, ${expected}`);
  };

  function inLimit(prop: string, value: number, limit: Limit): number {
    const { min, max, never } = limit;
    const isValid =
      Token.isUnresolved(value) ||
      value === never ||
      (Number.isInteger(value) && value >= min && value <= max);
    if (!isValid) problem(prop, value, expectationOf(limit));
    return value;
  }
  const whole = (prop: string, value: number | undefined, limit: Limit) =>
    inLimit(prop, value ?? limit.preset, limit);
  const time = (prop: string, value: Duration | undefined, limit: Limit) => {
    if (value === undefined) return limit.preset;
    try {
      return inLimit(prop, inUnit(value, limit.unit), limit);
    } catch {
      problem(prop, value.toString(), `expected a whole number of ${limit.unit}`);
      return limit.preset;
    }
  };
  const text = <T extends string | undefined>(prop: string, value: T, rule: TextRule): T => {
    if (value !== undefined && isWrong(value, rule))
      problem(prop, rule.isPrivate ? notShown : value, `expected ${rule.expected}`);
    return value;
  };
  const list = (prop: string, values: readonly string[] = [], rule: TextRule, max: number) => {
    if (Token.isUnresolved(values)) return values;
    if (values.length > max) problem(prop, `${values.length} values`, `expected at most ${max}`);
    const wrong = values.filter((value) => isWrong(value, rule));
    if (wrong.length > 0) problem(prop, wrong.join(', '), `expected ${rule.expected}`);
    return [...new Set(values)];
  };

  const { contract, apiKey, registration = true, tables = {}, webhook = {}, worker = {} } = props;
  const { events = {}, logs = {} } = props;
  const alarms = props.alarms === false ? undefined : props.alarms;
  const thresholds = alarms?.thresholds ?? {};
  const threshold = (
    name: 'requestsNotAccepted' | 'requestsRejected' | 'eventsQuarantined' | 'queriesFailed',
  ) => whole(`alarms.thresholds.${name}`, thresholds[name], limits[name]);
  const batchWindowSeconds = time('worker.batchWindow', worker.batchWindow, limits.batchWindow);
  const options: PipelineOptions = {
    ...names,
    sources: {
      built,
      contract: contract.document,
      keywords: (props.keywords ?? Keywords.standard()).list,
    },
    metricsNamespace:
      text('metricsNamespace', props.metricsNamespace, texts.metricsNamespace) ?? names.metricsNamespace,
    serviceBaseUrl:
      text('serviceBaseUrl', props.serviceBaseUrl, texts.serviceBaseUrl) ?? contract.document.service.baseUrl,
    apiKey,
    registration,
    retentionDays: time('retention', props.retention, limits.retention),
    quarantineRetentionDays: time(
      'quarantineRetention',
      props.quarantineRetention,
      limits.quarantineRetention,
    ),
    staleAfterHours: time('staleAfter', props.staleAfter, limits.staleAfter),
    listShards: whole('listShards', props.listShards, limits.listShards),
    tables: {
      historyClass: tables.historyClass ?? TableClass.STANDARD,
      recoveryDays: time('tables.recovery', tables.recovery, limits.recovery),
    },
    webhook: {
      domain: webhook.domain,
      allowedSources: list('webhook.allowedSources', webhook.allowedSources, texts.source, 50),
      ratePerSecond: whole('webhook.ratePerSecond', webhook.ratePerSecond, limits.ratePerSecond),
      burst: whole('webhook.burst', webhook.burst, limits.burst),
      reservedConcurrency: whole(
        'webhook.reservedConcurrency',
        webhook.reservedConcurrency,
        limits.reservedConcurrency,
      ),
      parkUnverified: webhook.parkUnverified ?? 'rotating',
      captureUntil: text('webhook.captureUntil', webhook.captureUntil, texts.captureUntil),
      onDrift: webhook.onDrift ?? 'repair',
      secretOverlapHours: time('webhook.secretOverlap', webhook.secretOverlap, limits.secretOverlap),
      rotateAfterDays: time('webhook.rotateAfter', webhook.rotateAfter, limits.rotateAfter),
    },
    worker: {
      batchSize: whole('worker.batchSize', worker.batchSize, limits.batchSize),
      batchWindowSeconds,
      timeoutSeconds: time('worker.timeout', worker.timeout, limits.workerTimeout),
      maximumConcurrency: whole(
        'worker.maximumConcurrency',
        worker.maximumConcurrency,
        limits.maximumConcurrency,
      ),
      maxReceiveCount: whole('worker.maxReceiveCount', worker.maxReceiveCount, limits.maxReceiveCount),
    },
    events: {
      everyEvent: events.everyEvent ?? false,
      parallelism: whole('events.parallelism', events.parallelism, limits.parallelism),
      archiveDays: time('events.archive', events.archive, limits.archive),
      accounts: list('events.accounts', events.accounts, texts.account, 50),
      schemaRegistry: events.schemaRegistry ?? false,
    },
    queryReservedConcurrency: whole(
      'queryReservedConcurrency',
      props.queryReservedConcurrency,
      limits.reservedConcurrency,
    ),
    exports: props.exports && {
      retentionDays: time('exports.retention', props.exports.retention, limits.exportRetention),
    },
    insights:
      props.insights === false
        ? undefined
        : {
            retentionDays: time('insights.retention', props.insights?.retention, limits.insightsRetention),
            hourRetentionDays: time(
              'insights.hourRetention',
              props.insights?.hourRetention,
              limits.insightsHourRetention,
            ),
          },
    console: props.console && consoleOf(props.console),
    automations: automationsOf(props.automations ?? []),
    alarms: props.alarms !== false && {
      topic: alarms?.topic,
      page: alarms?.page ?? alarms?.topic,
      runbookUrl: alarms?.runbookUrl,
    },
    alarmThresholds: {
      requestsNotAccepted: threshold('requestsNotAccepted'),
      requestsRejected: threshold('requestsRejected'),
      eventsQuarantined: threshold('eventsQuarantined'),
      queueBehindSeconds:
        thresholds.queueBehind === undefined
          ? queueBehindByDefault(batchWindowSeconds)
          : time('alarms.thresholds.queueBehind', thresholds.queueBehind, limits.queueBehind),
      publisherBehindMs: time(
        'alarms.thresholds.publisherBehind',
        thresholds.publisherBehind,
        limits.publisherBehind,
      ),
      queriesFailed: threshold('queriesFailed'),
    },
    dashboard: props.dashboard ?? true,
    logs: {
      retention: logs.retention ?? RetentionDays.ONE_MONTH,
      access: logs.access ?? true,
      invocations: logs.invocations ?? false,
    },
    tracing: props.tracing ?? false,
  };

  function consoleOf({ oidc, domain }: ConsoleProps): ConsoleOptions {
    text('console.domain.name', domain?.name, texts.domainName);
    return {
      domain,
      oidc: oidc && {
        issuer: text('console.oidc.issuer', oidc.issuer, texts.issuer),
        clientId: text('console.oidc.clientId', oidc.clientId, texts.clientId),
        groupsClaim: text('console.oidc.groupsClaim', oidc.groupsClaim ?? 'groups', texts.groupsClaim),
      },
    };
  }

  function listIds(prop: string, ids: readonly string[] | undefined): readonly string[] {
    return list(prop, ids, texts.contactList, 20);
  }

  function automationsOf(automations: NonNullable<SmsPipelineProps['automations']>): AutomationOptions {
    const kinds = automations.map(({ config }) => config.kind);
    for (const kind of new Set(kinds))
      if (kinds.filter((other) => other === kind).length > 1)
        problem('automations', `${kind} twice`, 'expected each automation at most once');
    return Object.assign({}, ...automations.map(({ config }) => ({ [config.kind]: configured(config) })));
  }

  function configured(config: AutomationConfig): AutomationOptions[AutomationConfig['kind']] {
    const prop = `automations.${config.kind}`;
    switch (config.kind) {
      case 'optOutContacts':
        return {
          optOutListIds: listIds(`${prop}.optOutListIds`, config.props.optOutListIds),
          optInListIds: listIds(`${prop}.optInListIds`, config.props.optInListIds),
          topic: noticeTopic(`${prop}.topic`, config.props.topic),
        };
      case 'contactSync':
        return {
          listIds: listIds(`${prop}.listIds`, config.props.listIds),
          periodHours: time(`${prop}.period`, config.props.period, limits.contactSyncPeriod),
        };
      case 'failureAlert':
        return {
          periodMinutes: time(`${prop}.period`, config.props.period, limits.failureAlertPeriod),
          topic: noticeTopic(`${prop}.topic`, config.props.topic),
        };
      case 'forward':
        return { url: config.props.url, detailTypes: config.props.detailTypes ?? forwardedByDefault };
      case 'billingWatch':
        return { beforeDays: time(`${prop}.before`, config.props.before, limits.billingWatch) };
      case 'deliveryWatch':
        return true;
    }
  }

  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and a notice has none.
  function noticeTopic(prop: string, topic: ITopic | undefined): ITopic | undefined {
    if (topic?.fifo) problem(prop, 'a FIFO topic', 'expected a standard topic');
    return topic;
  }

  const certificate = (prop: string, found: ICertificate | undefined, expected: string) => {
    const arn = found?.certificateArn;
    if (arn !== undefined && !Token.isUnresolved(arn) && !formOfCertificateArn.test(arn))
      problem(
        prop,
        arn,
        'expected the ARN of a certificate of ACM, arn:aws:acm:<region>:<account>:certificate/<id>',
      );
    const where = found && regionOf(found);
    if (where !== undefined && Token.compareStrings(where, expected) === TokenComparison.DIFFERENT)
      problem(prop, `a certificate in ${where}`, `expected one in ${expected}`);
  };
  certificate('webhook.domain.certificate', webhook.domain?.certificate, region);
  // "Requirements for using SSL/TLS certificates with CloudFront", CloudFront developer guide.
  certificate('console.domain.certificate', props.console?.domain?.certificate, 'us-east-1');
  if (props.console !== undefined && (RegionInfo.get(region).partition ?? 'aws') !== 'aws')
    problem(
      'console',
      `a stack in ${region}`,
      'expected none outside of the standard regions of AWS, for example in China or GovCloud: CloudFront and the sign-in of Cognito are not there, or not in the same way. "sms console" serves the page on your own machine',
    );
  text('webhook.domain.name', webhook.domain?.name, texts.domainName);
  text('webhook.domain.mutualTls.version', webhook.domain?.mutualTls?.version, texts.objectVersion);
  const { queueBehindSeconds } = options.alarmThresholds;
  if (
    !Token.isUnresolved(queueBehindSeconds) &&
    !Token.isUnresolved(batchWindowSeconds) &&
    queueBehindSeconds <= batchWindowSeconds
  )
    problem(
      'alarms.thresholds.queueBehind',
      `${queueBehindSeconds} seconds`,
      'expected longer than worker.batchWindow: events wait that long for a batch to become full',
    );
  if (alarms !== undefined && alarms.topic === undefined)
    problem('alarms.topic', undefined, 'expected the topic of tickets, or alarms: false');
  const runbookUrl = alarms?.runbookUrl;
  if (runbookUrl !== undefined && !Token.isUnresolved(runbookUrl) && !isRunbookUrl(runbookUrl))
    problem('alarms.runbookUrl', runbookUrl, expectedRunbookUrl);

  if (registration && !contract.hasService)
    problem(
      'contract',
      'no "service"',
      'expected one, with the address and the token exchange of the API that registers webhooks (docs/reference/contract.md, "Every field"), or registration: false, as for every preset whose service has no such API',
    );

  for (const { prop, found, expected } of conflictsIn(options)) problem(prop, found, expected);
  if (problems.length > 0) throw new PipelinePropsError(path, problems);
  return options;
}

const formOfCertificateArn = /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/;

/** Returns the region of a certificate; undefined if another construct than CDK's own made it, possibly in another region than its stack's. */
function regionOf(certificate: ICertificate): string | undefined {
  const { certificateArn, env } = certificate;
  if (!Token.isUnresolved(certificateArn)) return certificateArn.split(':')[3];
  return certificate instanceof Certificate ? env.region : undefined;
}

/** Batches that wait for as long as they may are no reason for an alarm. */
function queueBehindByDefault(batchWindowSeconds: number): number {
  const { preset } = limits.queueBehind;
  return Token.isUnresolved(batchWindowSeconds) ? preset : Math.max(preset, 2 * batchWindowSeconds);
}

/** The types of events that are forwarded unless others are chosen. */
export const forwardedByDefault: readonly DetailType[] = [
  detailTypes.statusChanged,
  detailTypes.replyReceived,
  detailTypes.optOut,
  detailTypes.optIn,
];

interface Conflict {
  readonly prop: string;
  readonly found: unknown;
  readonly expected: string;
}

/** Props that are missing for, or contradict, another one. */
function conflictsIn(options: PipelineOptions): readonly Conflict[] {
  const { registration, apiKey, tables, exports, insights, webhook, worker, automations, events } = options;
  const conflicts: Conflict[] = [];
  const known = (...values: readonly unknown[]) => !values.some((value) => Token.isUnresolved(value));
  if (registration && apiKey === undefined)
    conflicts.push({
      prop: 'apiKey',
      found: undefined,
      expected: 'expected the secret with the API key of the SMS service, or registration: false',
    });
  if (!registration) {
    // These automations exchange the API key for a token.
    for (const kind of ['optOutContacts', 'contactSync', 'billingWatch'] as const)
      if (automations[kind] !== undefined)
        conflicts.push({
          prop: 'automations',
          found: kind,
          expected:
            'expected none that calls the API of the SMS service: with registration: false there is none',
        });
    if (webhook.rotateAfterDays !== 0)
      conflicts.push({
        prop: 'webhook.rotateAfter',
        found: webhook.rotateAfterDays,
        expected:
          'expected nothing: with registration: false you create a new secret in the console of the SMS service',
      });
    if (webhook.parkUnverified === 'always')
      conflicts.push({
        prop: 'webhook.parkUnverified',
        found: 'always',
        expected:
          'expected "rotating": with registration: false the pipeline cannot ask for the secret that parked requests wait for',
      });
  }
  if (insights === undefined && automations.deliveryWatch !== undefined)
    conflicts.push({
      prop: 'automations',
      found: 'deliveryWatch',
      expected: 'expected none that reads the counters of insights: with insights: false there are none',
    });
  if (exports !== undefined && known(tables.recoveryDays) && tables.recoveryDays < minRecoveryOfExports)
    conflicts.push({
      prop: 'tables.recovery',
      found: `${tables.recoveryDays} days`,
      expected: `expected at least ${minRecoveryOfExports} days: exports are made from the backups, and a run makes up for that many days`,
    });
  if (webhook.domain?.mutualTls !== undefined && webhook.domain.webhookAddress === 'api')
    conflicts.push({
      prop: 'webhook.domain.webhookAddress',
      found: 'api',
      expected: 'expected "domain": mutualTls disables the address of the API, where clients could bypass it',
    });
  const { rotateAfterDays, secretOverlapHours } = webhook;
  if (
    known(rotateAfterDays, secretOverlapHours) &&
    rotateAfterDays !== 0 &&
    rotateAfterDays * 24 <= secretOverlapHours
  )
    conflicts.push({
      prop: 'webhook.rotateAfter',
      found: `${rotateAfterDays} days`,
      expected:
        'expected longer than webhook.secretOverlap: no rotation begins while the previous secret is still accepted',
    });
  const { batchSize, batchWindowSeconds, timeoutSeconds, maxReceiveCount } = worker;
  if (known(batchSize, batchWindowSeconds) && batchSize > 10 && batchWindowSeconds < 1)
    conflicts.push({
      prop: 'worker.batchWindow',
      found: `${batchWindowSeconds} seconds`,
      expected: 'expected at least a second: Lambda gathers a batchSize above 10 only within a window',
    });
  const receivesTake = maxReceiveCount * visibilityTimeoutSeconds(timeoutSeconds, batchWindowSeconds);
  if (
    known(maxReceiveCount, timeoutSeconds, batchWindowSeconds) &&
    receivesTake >= queueRetentionDays * 24 * 3600
  )
    conflicts.push({
      prop: 'worker.maxReceiveCount',
      found: maxReceiveCount,
      expected: `expected fewer: this many receives, each 6 x timeout + batchWindow apart, take longer than the queue's retention of ${queueRetentionDays} days, so that messages would be lost`,
    });
  const { forward } = automations;
  if (forward !== undefined && !events.everyEvent && forward.detailTypes.includes(detailTypes.deliveryEvent))
    conflicts.push({
      prop: 'automations.forward.detailTypes',
      found: detailTypes.deliveryEvent,
      expected: 'expected published types only: this one needs events: { everyEvent: true }',
    });
  if (forward !== undefined && known(forward.url) && !isForwardTarget(forward.url))
    conflicts.push({
      prop: 'automations.forward.url',
      found: notShown,
      expected: forwardTarget,
    });
  return conflicts;
}

/** The exporter looks for missing days among the last seven that are over. */
const minRecoveryOfExports = 8;

const notShown = 'something else (not shown: it may hold a key)';

/** Says what URL events may be sent to, for messages. */
export const forwardTarget =
  'expected an https URL, or http on 127.0.0.1 or localhost, of at most 2048 characters, without user name, password, query and fragment: a key in them would be readable in the template. Leave them out, and let the receiver verify the signature (docs/guides/automations/forward.md, "Expected output"); put values that are not secret into the path';

/** Returns whether events may be sent to a URL: encrypted or on the same machine, and without the parts that carry keys. */
export function isForwardTarget(address: string): boolean {
  if (!URL.canParse(address) || address.length > 2048) return false;
  const { protocol, hostname, username, password } = new URL(address);
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname));
  return isSafe && username === '' && password === '' && !/[?#]/.test(address);
}

/** Says what the address of the runbook may be, for messages. */
export const expectedRunbookUrl =
  'expected the http(s) URL of docs/operate/alarms.md, at most 200 characters, without a fragment (that of each alarm is added)';

/** Returns whether links to pages of the runbook can begin with a URL. */
export function isRunbookUrl(address: string): boolean {
  return address.length <= 200 && URL.canParse(address) && /^https?:[^#]+$/.test(address);
}

function inUnit(duration: Duration, unit: string): number {
  switch (unit) {
    case 'milliseconds':
      return duration.toMilliseconds();
    case 'days':
      return duration.toDays();
    case 'hours':
      return duration.toHours();
    case 'minutes':
      return duration.toMinutes();
    default:
      return duration.toSeconds();
  }
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : String(value);
}
