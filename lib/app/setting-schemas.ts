import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { expectationOf, type Limit, limits, minReceives } from '../props/limits.ts';
import {
  expectedRunbookUrl,
  forwardedByDefault,
  forwardTarget,
  isForwardTarget,
  isRunbookUrl,
} from '../props/options.ts';
import { label, type TextRule, texts } from '../props/texts.ts';

/** Accepts a number as text, as `-c` passes it, or as a number, as cdk.json may hold it. */
const fromText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const wholeNumber = (limit: Limit) =>
  fromText
    .pipe(z.union([z.int().min(limit.min).max(limit.max), z.literal(limit.never ?? limit.preset)]))
    .default(limit.preset)
    .describe(expectationOf(limit));

const text = (preset: string, pattern: RegExp, expected: string) =>
  z.string().regex(pattern).default(preset).describe(`expected ${expected}`);

/** A text that may be left out. */
const optionalText = ({ schema, expected }: TextRule, without = '') =>
  schema.optional().describe(`expected ${expected}${without}`);

/** A switch, off by default. */
const offOrOn = (preset: 'off' | 'on' = 'off') =>
  z.enum(['off', 'on']).default(preset).describe('expected "off" or "on"');

/** A list of at most `max` items, separated by commas. Duplicates and the spaces around items are dropped. */
const listOf = <T extends z.ZodType<unknown, string>>(
  item: T,
  preset: readonly z.output<T>[],
  items: string,
  max: number,
) =>
  z
    .string()
    .transform((list) => [...new Set(list.split(',').map((word) => word.trim()))])
    .pipe(z.array(item).max(max))
    .readonly()
    .default(preset)
    .describe(`expected ${items}, at most ${max}, separated by commas`);

/** Settings of the event bus and of its events. */
export const eventSettings = {
  everyEvent: offOrOn(),
  publisherParallelism: wholeNumber(limits.parallelism),
  eventArchiveDays: wholeNumber(limits.archive),
  // Each account is in two statements of the bus's policy, which is limited to 10,240 characters.
  eventBusAccounts: listOf(texts.account.schema, [], texts.account.expected, 50),
  eventSchemaRegistry: offOrOn(),
};

const logRetentionChoices = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** Roles of services and of IAM Identity Center have these paths; no one may add a policy to them. */
const changeableRole =
  /^arn:aws[a-z-]*:iam::\d{12}:role\/(?!aws-service-role\/|aws-reserved\/)([\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/;

/** API Gateway allows 128 characters in the name of an API, as CloudFormation does in a stack's. The longest one is the API of the console. */
const maxPrefixLength = 128 - '-Pipeline-Console'.length;

const topicArn = z
  .string()
  .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/)
  .optional()
  .describe('expected the ARN of an SNS topic, arn:aws:sns:<region>:<account>:<topic>');

/** Settings of receiving, storing and querying. */
export const pipelineSettings = {
  stackPrefix: text(
    'SmsPipeline',
    new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${maxPrefixLength - 1}}$`),
    `the beginning of the stacks' names: a letter, then letters, digits and hyphens, at most ${maxPrefixLength} characters`,
  ),
  contractFile: text('contract.json', /\S/, 'the path of the contract file'),
  keywordsFile: text('keywords.json', /\S/, 'the path of the keywords file'),
  apiKeySecretName: text(
    'sms-pipeline/api-key',
    /^[A-Za-z0-9/_+=.@-]{1,512}$/,
    'the name (not the ARN) of the Secrets Manager secret that holds the API key: letters, digits and /_+=.@-',
  ),
  serviceBaseUrl: optionalText(texts.serviceBaseUrl, ", or leave the key out to use the contract's"),
  registration: offOrOn('on'),
  retentionDays: wholeNumber(limits.retention),
  quarantineRetentionDays: wholeNumber(limits.quarantineRetention),
  historyTableClass: z
    .enum(['standard', 'infrequent-access'])
    .default('standard')
    .describe('expected "standard" or "infrequent-access"'),
  recoveryDays: wholeNumber(limits.recovery),
  secretOverlapHours: wholeNumber(limits.secretOverlap),
  rotateAfterDays: wholeNumber(limits.rotateAfter),
  parkUnverified: z
    .enum(['rotating', 'always'])
    .default('rotating')
    .describe('expected "rotating" or "always"'),
  captureUntil: optionalText(texts.captureUntil, ', or leave the key out to capture nothing'),
  webhookDrift: z.enum(['repair', 'report']).default('repair').describe('expected "repair" or "report"'),
  allowedSourceIps: listOf(texts.source.schema, [], texts.source.expected, 50),
  throttleRatePerSecond: wholeNumber(limits.ratePerSecond),
  throttleBurst: wholeNumber(limits.burst),
  queryReservedConcurrency: wholeNumber(limits.reservedConcurrency),
  ingestReservedConcurrency: wholeNumber(limits.reservedConcurrency),
  workerBatchSize: wholeNumber(limits.batchSize),
  workerBatchWindowSeconds: wholeNumber(limits.batchWindow),
  workerTimeoutSeconds: wholeNumber(limits.workerTimeout),
  workerMaximumConcurrency: wholeNumber(limits.maximumConcurrency),
  maxReceiveCount: wholeNumber(limits.maxReceiveCount).describe(
    `expected a whole number of receives from ${minReceives} to ${limits.maxReceiveCount.max}: with fewer, parked requests go to the dead-letter queue before a rotation whose run died is settled`,
  ),
  listShards: wholeNumber(limits.listShards),
  staleAfterHours: wholeNumber(limits.staleAfter),
  queryRoleArn: z
    .string()
    .regex(changeableRole)
    .optional()
    .describe(
      "expected the ARN of an IAM role of the deployment's account, arn:aws:iam::<account>:role/<name>, not one that AWS manages",
    ),
  insights: offOrOn('on'),
  insightsRetentionDays: wholeNumber(limits.insightsRetention),
  insightsHourRetentionDays: wholeNumber(limits.insightsHourRetention),
  console: offOrOn(),
  consoleDomainName: optionalText(texts.domainName),
  consoleCertificateArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:acm:us-east-1:\d{12}:certificate\/[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe(
      'expected the ARN of an ACM certificate in us-east-1, arn:aws:acm:us-east-1:<account>:certificate/<id>',
    ),
  consoleOidcIssuer: optionalText(texts.issuer, ', or leave the key out for a user pool of Cognito'),
  consoleOidcClientId: optionalText(texts.clientId),
  consoleOidcGroupsClaim: text('groups', /^[\w:./-]{1,255}$/, texts.groupsClaim.expected),
  exportToS3: z.enum(['off', 'daily']).default('off').describe('expected "off" or "daily"'),
  exportRetentionDays: wholeNumber(limits.exportRetention),
  logRetentionDays: fromText
    .refine((days) => logRetentionChoices.includes(days))
    .default(RetentionDays.ONE_MONTH)
    .describe(`expected a number of days CloudWatch Logs offers: ${logRetentionChoices.join(', ')}`),
  alarmTopicArn: topicArn,
  pageTopicArn: topicArn,
  runbookUrl: z.string().refine(isRunbookUrl).optional().describe(expectedRunbookUrl),
  dashboard: offOrOn('on'),
  tracing: offOrOn(),
  invocationLogs: offOrOn(),
  accessLog: offOrOn('on'),
  encryptionKey: z.enum(['aws', 'customer']).default('aws').describe('expected "aws" or "customer"'),
};

/** "Bucket naming rules" and "Creating object key names" of the Amazon S3 User Guide. */
const objectUrl = new RegExp(`^s3://(?=[^/]{3,63}/)(?:${label}\\.)*${label}/\\S{1,1024}$`);

/** Settings of a custom domain for the HTTP API, and of mutual TLS, which API Gateway offers only there. */
export const customDomainSettings = {
  domainName: optionalText(texts.domainName),
  certificateArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[A-Za-z0-9-]{1,64}$/)
    .optional()
    .describe(
      "expected the ARN of an ACM certificate in the deployment's region, arn:aws:acm:<region>:<account>:certificate/<id>",
    ),
  webhookAddress: z
    .enum(['domain', 'api'])
    .default('domain')
    .describe('expected "domain", or "api" while DNS does not point to the domain yet'),
  mutualTlsTruststore: z
    .string()
    .regex(objectUrl)
    .optional()
    .describe('expected the S3 URL of the certificates of the CAs, s3://<bucket>/<key>'),
  mutualTlsTruststoreVersion: optionalText(texts.objectVersion),
};

const everyDetailType = Object.values(detailTypes);

/** Two lists of this size fit into the 4 KB of a function's environment, beside everything else in it. */
const maxLists = 20;

const listIds = () => listOf(texts.contactList.schema, [], texts.contactList.expected, maxLists);

/** Settings of the automations, which are off by default. */
export const automationSettings = {
  optOutContacts: offOrOn(),
  optOutListIds: listIds(),
  optInListIds: listIds(),
  contactSync: offOrOn(),
  contactListIds: listIds(),
  contactSyncPeriodHours: wholeNumber(limits.contactSyncPeriod),
  failureAlert: offOrOn(),
  failureAlertMinutes: wholeNumber(limits.failureAlertPeriod),
  forwardUrl: z
    .string()
    .refine(isForwardTarget)
    .optional()
    .describe(`${forwardTarget}, or leave the key out to forward nothing`),
  forwardDetailTypes: listOf(
    z.enum(everyDetailType),
    forwardedByDefault,
    `some of ${everyDetailType.map((type) => `"${type}"`).join(', ')}`,
    everyDetailType.length,
  ),
  billingWatch: offOrOn(),
  billingWatchDays: wholeNumber(limits.billingWatch),
  deliveryWatch: offOrOn(),
};
