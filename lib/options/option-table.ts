import { RemovalPolicy } from 'aws-cdk-lib';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { type DetailType, detailTypes } from '../../functions/publish/shapes.ts';
import { alarmNames } from './alarm-names.ts';
import {
  choice,
  count,
  days,
  type Group,
  group,
  groupByName,
  hours,
  knownAtSynth,
  list,
  minutes,
  type NamedGroups,
  type Option,
  type Other,
  onOff,
  optionalCount,
  other,
  required,
  requiredText,
  seconds,
  shapes,
  tags,
  text,
  textOr,
} from './option-kinds.ts';
import type { GroupName, Groups } from './options.ts';
import {
  choiceSetting,
  numberFromText,
  optionalTextSetting,
  switchSetting,
  textSetting,
} from './setting-kinds.ts';
import { textRules } from './text-rules.ts';

/** A row for each prop of a group. The row of an option returns what the interface of the options says. */
type Rows<Props, Options> = {
  readonly [Name in keyof Props | keyof Options]: Name extends keyof Options
    ? Option<Options[Name]>
    : Other | Group | NamedGroups;
};

/** If the run of a rotation dies, its outcome is known within 8 minutes. This many receives of a parked request take 9 minutes. */
const minReceives = 13;

/** Two lists of this size fit into the 4 KB of a function's environment, beside everything else in it. */
const contactLists = { max: 20 };

/** The retentions in days that CloudWatch Logs offers. */
const offeredDays = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** The prop is a value of CDK, and the setting is its number of days. No other option is of this kind. */
const logRetention = (name: string, byDefault: RetentionDays): Option<RetentionDays> => ({
  kind: 'option',
  shape: {
    expected: 'a value of RetentionDays',
    fits: (value) => typeof value === 'number' && value in RetentionDays,
  },
  setting: {
    name,
    schema: numberFromText.refine((days) => offeredDays.includes(days)).default(byDefault),
    expected: `a number of days CloudWatch Logs offers: ${offeredDays.join(', ')}`,
  },
  check: (prop = byDefault) => prop,
  toProp: (days: number) => days,
});

/** The types of events that are forwarded unless others are chosen. */
const forwardedByDefault: readonly DetailType[] = [
  detailTypes.statusChanged,
  detailTypes.replyReceived,
  detailTypes.optOut,
  detailTypes.optIn,
];

/**
 * Every prop of a pipeline, with its setting in the stand-alone app, its default and its limits. The check of props, the schema of
 * settings, the props that settings stand for, and docs/reference/settings.md are made from it. The comments of props.ts say what a prop
 * is for, and the interfaces of options.ts what it becomes. The compiler reports a prop that has no row.
 */
export const optionTable: {
  readonly [Name in GroupName]: Rows<Groups[Name]['props'], Groups[Name]['options']>;
} = {
  pipeline: {
    contract: required(
      other(shapes.contract, textSetting('contractFile', textRules.contractFile, 'contract.json')),
    ),
    apiKey: other(
      shapes.secret,
      textSetting('apiKeySecretName', textRules.secretName, 'sms-pipeline/api-key'),
    ),
    keywords: other(shapes.keywords, textSetting('keywordsFile', textRules.keywordsFile, 'keywords.json')),
    serviceBaseUrl: text(textRules.serviceBaseUrl, {
      setting: 'serviceBaseUrl',
      without: ", or leave the key out to use the contract's",
    }),
    registration: onOff({ setting: 'registration', default: true }),
    lookups: onOff({ setting: 'lookups', default: false }),
    lookupPrices: onOff({ setting: 'lookupPrices', default: false }),
    retention: days({ setting: 'retentionDays', default: 400, min: 1, max: 3650 }),
    quarantineRetention: days({ setting: 'quarantineRetentionDays', default: 90, min: 1, max: 3650 }),
    staleAfter: hours({ setting: 'staleAfterHours', default: 72, min: 1, max: 8760, isZeroForNone: true }),
    optOutsBySource: onOff({ setting: 'optOutsBySource', default: false }),
    listShards: count('shards', { setting: 'listShards', default: 1, min: 1, max: 256 }),
    removalPolicy: choice({
      setting: 'removalPolicy',
      default: 'retain',
      choices: { retain: RemovalPolicy.RETAIN, destroy: RemovalPolicy.DESTROY },
    }),
    tables: group(),
    webhook: group(),
    worker: group(),
    events: group(),
    eventBus: other(shapes.eventBus),
    exports: group(choiceSetting('exportToS3', ['off', 'daily'], 'off')),
    insights: group(),
    console: group(switchSetting('console', 'off')),
    automations: other(shapes.automations),
    alarms: group(),
    dashboard: onOff({ setting: 'dashboard', default: true }),
    functions: group(),
    logs: group(),
    tracing: onOff({ setting: 'tracing', default: false }),
    encryptionKey: other(shapes.key, choiceSetting('encryptionKey', ['aws', 'customer'], 'aws')),
    tags: tags({ setting: 'tags' }),
    metricsNamespace: text(textRules.metricsNamespace),
    outputs: onOff({ default: true }),
  },

  tables: {
    historyClass: choice({
      setting: 'historyTableClass',
      default: 'standard',
      choices: {
        standard: TableClass.STANDARD,
        'infrequent-access': TableClass.STANDARD_INFREQUENT_ACCESS,
      },
    }),
    recovery: knownAtSynth(
      days({ setting: 'recoveryDays', default: 35, min: 1, max: 35, isZeroForNone: true }),
    ),
  },

  webhook: {
    domain: group(),
    allowedSources: list(textRules.source, {
      setting: 'allowedSourceIps',
      max: 50,
      without: 'to accept requests from every address',
    }),
    // No more than an account has in every region: 1,250 in some ("Amazon API Gateway quotas", developer guide).
    ratePerSecond: count('requests a second', {
      setting: 'throttleRatePerSecond',
      default: 1000,
      min: 1,
      max: 100_000,
    }),
    burst: count('requests', { setting: 'throttleBurst', default: 1000, min: 1, max: 100_000 }),
    alwaysParkUnverified: choice({
      setting: 'parkUnverified',
      default: 'rotating',
      choices: { rotating: false, always: true },
    }),
    captureUntil: text(textRules.captureUntil, {
      setting: 'captureUntil',
      without: ', or leave the key out to capture nothing',
    }),
    repairDrift: choice({
      setting: 'webhookDrift',
      default: 'repair',
      choices: { repair: true, report: false },
    }),
    secretOverlap: hours({ setting: 'secretOverlapHours', default: 24, min: 1, max: 168 }),
    rotateAfter: days({ setting: 'rotateAfterDays', default: 0, min: 1, max: 365, isZeroForNone: true }),
  },

  'webhook.domain': {
    name: requiredText(textRules.domainName, { setting: 'domainName' }),
    certificate: required(
      other(shapes.certificate, optionalTextSetting('certificateArn', textRules.certificateArn)),
    ),
    usedByWebhook: choice({
      setting: 'webhookAddress',
      default: 'domain',
      choices: { domain: true, api: false },
      expected: '"domain", or "api" while DNS does not point to the domain yet',
    }),
    mutualTls: group(optionalTextSetting('mutualTlsTruststore', textRules.truststoreUrl)),
  },

  'webhook.domain.mutualTls': {
    bucket: required(other(shapes.bucket)),
    key: requiredText(textRules.objectKey, {}),
    version: text(textRules.objectVersion, { setting: 'mutualTlsTruststoreVersion' }),
  },

  worker: {
    // With a window of a second: docs/adr/0015.
    batchSize: count('queue messages', { setting: 'workerBatchSize', default: 6, min: 1, max: 10_000 }),
    // The visibility timeout of the queue is computed with it.
    batchWindow: knownAtSynth(seconds({ setting: 'workerBatchWindowSeconds', default: 1, min: 0, max: 300 })),
    // The worker starts no write in its last five seconds, so that writes in progress can end.
    timeout: knownAtSynth(seconds({ setting: 'workerTimeoutSeconds', default: 20, min: 10, max: 900 })),
    maximumConcurrency: count('concurrent invocations', {
      setting: 'workerMaximumConcurrency',
      default: 50,
      min: 2,
      max: 1000,
    }),
    maxReceiveCount: count('receives', {
      setting: 'maxReceiveCount',
      default: 20,
      min: minReceives,
      max: 1000,
      because:
        'with fewer, parked requests go to the dead-letter queue before a rotation whose run died is settled',
    }),
  },

  events: {
    everyEvent: onOff({ setting: 'everyEvent', default: false }),
    parallelism: count('batches of a shard at once', {
      setting: 'publisherParallelism',
      default: 2,
      min: 1,
      max: 10,
    }),
    // EventBridge takes a retention of 0 for no limit ("CreateArchive", API reference), so that 0 at deployment would keep events for ever.
    archive: knownAtSynth(
      days({ setting: 'eventArchiveDays', default: 30, min: 1, max: 3650, isZeroForNone: true }),
    ),
    // Each account is in two statements of the bus's policy, which is limited to 10,240 characters.
    accounts: knownAtSynth(list(textRules.account, { setting: 'eventBusAccounts', max: 50 })),
  },

  exports: {
    retention: days({ setting: 'exportRetentionDays', default: 400, min: 1, max: 3650 }),
  },

  insights: {
    enabled: onOff({ setting: 'insights', default: true }),
    retention: days({ setting: 'insightsRetentionDays', default: 400, min: 1, max: 3650 }),
    // The same hours of the weeks before are compared with, so it is several weeks.
    hourRetention: days({ setting: 'insightsHourRetentionDays', default: 70, min: 1, max: 3650 }),
  },

  console: { oidc: group(), domain: group() },

  'console.oidc': {
    issuer: knownAtSynth(
      requiredText(textRules.issuer, {
        setting: 'consoleOidcIssuer',
        without: ', or leave the key out for a user pool of Cognito',
      }),
    ),
    clientId: requiredText(textRules.clientId, { setting: 'consoleOidcClientId' }),
    groupsClaim: textOr('groups', textRules.groupsClaim, { setting: 'consoleOidcGroupsClaim' }),
  },

  'console.domain': {
    name: requiredText(textRules.domainName, { setting: 'consoleDomainName' }),
    certificate: required(
      other(
        shapes.certificate,
        optionalTextSetting('consoleCertificateArn', textRules.consoleCertificateArn),
      ),
    ),
  },

  alarms: {
    enabled: onOff({ default: true }),
    topic: other(shapes.topic, optionalTextSetting('alarmTopicArn', textRules.topicArn)),
    page: other(shapes.topic, optionalTextSetting('pageTopicArn', textRules.topicArn)),
    runbookUrl: text(textRules.runbookUrl, { setting: 'runbookUrl', isPrivateSetting: true }),
    overrides: groupByName('an alarm', alarmNames),
  },

  'alarms.overrides': {
    enabled: onOff({ default: true }),
    // The largest are ages in milliseconds.
    threshold: optionalCount('what the alarm counts', { min: 1, max: 1_000_000_000 }),
    evaluationPeriods: optionalCount('periods', { min: 1, max: 100 }),
    datapointsToAlarm: optionalCount('periods', { min: 1, max: 100 }),
    topic: other(shapes.topic),
  },

  functions: {
    // A function that needs more keeps it, which cannot be compared at deployment.
    memorySize: knownAtSynth(optionalCount('MB', { min: 256, max: 10_240 })),
    architecture: other(shapes.architecture),
    vpc: other(shapes.vpc),
    subnets: other(shapes.subnets),
    securityGroups: other(shapes.securityGroups),
  },

  logs: {
    retention: logRetention('logRetentionDays', RetentionDays.ONE_MONTH),
    auditRetention: logRetention('auditLogRetentionDays', RetentionDays.THIRTEEN_MONTHS),
    encryptionKey: other(shapes.key),
    access: onOff({ setting: 'accessLog', default: true }),
    invocations: onOff({ setting: 'invocationLogs', default: false }),
  },

  'automations.optOutContacts': {
    optOutListIds: list(textRules.contactList, { setting: 'optOutListIds', ...contactLists }),
    optInListIds: list(textRules.contactList, { setting: 'optInListIds', ...contactLists }),
    topic: other(shapes.topic),
  },

  'automations.contactSync': {
    listIds: list(textRules.contactList, { setting: 'contactListIds', ...contactLists }),
  },

  'automations.failureAlert': {
    period: knownAtSynth(minutes({ setting: 'failureAlertMinutes', default: 15, min: 5, max: 1440 })),
    topic: other(shapes.topic),
  },

  'automations.forward': {
    url: requiredText(textRules.forwardUrl, {
      setting: 'forwardUrl',
      without: ', or leave the key out to forward nothing',
    }),
    detailTypes: list(textRules.detailType, {
      setting: 'forwardDetailTypes',
      max: Object.keys(detailTypes).length,
      default: forwardedByDefault,
      without: 'to forward statuses, replies, opt-outs and opt-ins',
    }),
  },
};

/** A row of the table, of any kind and type. */
export type Row = Option | Other | Group | NamedGroups;

/** Lists the rows of a group by the names of the props. */
export function rowsOf(group: GroupName): readonly (readonly [string, Row])[] {
  return Object.entries<Row>(optionTable[group]);
}

/** Returns the path of a prop, as messages name it: `webhook.burst`. */
export function pathOf(group: string, prop: string): string {
  return group === 'pipeline' ? prop : `${group}.${prop}`;
}

/** Returns whether a path is that of a group. */
export function isGroupName(path: string): path is GroupName {
  return Object.hasOwn(optionTable, path);
}
