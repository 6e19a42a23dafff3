import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { detailTypes } from '../../functions/bus/event-types.ts';

/** Accepts a number as text, as `-c` passes it, or as a number, as cdk.json may hold it. */
const fromText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

const wholeNumber = (preset: number, min: number, max: number, unit: string) =>
  fromText
    .pipe(z.int().min(min).max(max))
    .default(preset)
    .describe(`expected a whole number of ${unit} from ${min} to ${max}`);

const text = (preset: string, pattern: RegExp, expected: string) =>
  z.string().regex(pattern).default(preset).describe(`expected ${expected}`);

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
  publisherParallelism: wholeNumber(2, 1, 10, 'batches of a shard at once'),
  eventArchiveDays: wholeNumber(30, 0, 3650, 'days').describe(
    'expected a whole number of days from 1 to 3650, or 0 for no archive',
  ),
  // Each account is in two statements of the bus's policy, which is limited to 10,240 characters.
  eventBusAccounts: listOf(
    z.string().regex(/^\d{12}$/),
    [],
    'ids of AWS accounts as text, 12 digits each',
    50,
  ),
  eventSchemaRegistry: offOrOn(),
};

/** A rotation whose run died is settled within 8 minutes; this many receives of a parked request take 9 minutes. */
const minReceives = 13;

const logRetentionChoices = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** Roles of services and of IAM Identity Center have these paths; no one may add a policy to them. */
const changeableRole =
  /^arn:aws[a-z-]*:iam::\d{12}:role\/(?!aws-service-role\/|aws-reserved\/)([\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/;

/** CloudFormation allows 128 characters in a stack's name; the longest one of the pipeline ends in "-Registration". */
const maxPrefixLength = 128 - '-Registration'.length;

/** Lambda lets an account reserve 900 of its 1,000 concurrent invocations; two functions share them. */
const maxReserved = 400;

/** None by default: an account whose limit is 10 has nothing to reserve, and Lambda rejects the deployment. */
const reservedConcurrency = () =>
  wholeNumber(0, 0, maxReserved, 'concurrent invocations').describe(
    `expected a whole number of concurrent invocations from 1 to ${maxReserved}, or 0 to reserve none`,
  );

/** Limits a capture that an operator forgets. */
const maxCaptureMs = 7 * 24 * 3_600_000;

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
  serviceBaseUrl: z
    .url({ protocol: /^https?$/ })
    .max(512)
    .optional()
    .describe(
      "expected the service's http(s) URL, at most 512 characters, or leave the key out to use the contract's",
    ),
  registration: offOrOn('on'),
  retentionDays: wholeNumber(400, 1, 3650, 'days'),
  quarantineRetentionDays: wholeNumber(90, 1, 3650, 'days'),
  secretOverlapHours: wholeNumber(24, 1, 168, 'hours'),
  rotateAfterDays: wholeNumber(0, 0, 365, 'days').describe(
    'expected a whole number of days from 1 to 365, or 0 for never',
  ),
  parkUnverified: z
    .enum(['rotating', 'always'])
    .default('rotating')
    .describe('expected "rotating" or "always"'),
  captureUntil: z.iso
    .datetime()
    .refine((until) => Date.parse(until) - Date.now() <= maxCaptureMs)
    .optional()
    .describe(
      'expected a time in UTC at most 7 days ahead, for example 2026-01-15T12:00:00Z, or leave the key out to capture nothing',
    ),
  webhookDrift: z.enum(['repair', 'report']).default('repair').describe('expected "repair" or "report"'),
  allowedSourceIps: listOf(
    z.union([z.cidrv4(), z.cidrv6()]),
    [],
    'ranges of IP addresses as CIDR, for example 192.0.2.0/24',
    50,
  ),
  throttleRatePerSecond: wholeNumber(1000, 1, 100_000, 'requests a second'),
  // No more than an account has in every region: 1,250 in some ("Amazon API Gateway quotas", developer guide).
  throttleBurst: wholeNumber(1000, 1, 100_000, 'requests'),
  queryReservedConcurrency: reservedConcurrency(),
  ingestReservedConcurrency: reservedConcurrency(),
  workerBatchSize: wholeNumber(100, 1, 10_000, 'queue messages'),
  workerBatchWindowSeconds: wholeNumber(1, 0, 300, 'seconds'),
  // The worker starts no write in its last five seconds, so that writes in progress can end.
  workerTimeoutSeconds: wholeNumber(20, 10, 900, 'seconds'),
  workerMaximumConcurrency: wholeNumber(50, 2, 1000, 'concurrent invocations'),
  maxReceiveCount: wholeNumber(20, minReceives, 1000, 'receives').describe(
    `expected a whole number of receives from ${minReceives} to 1000: with fewer, parked requests go to the dead-letter queue before a rotation whose run died is settled`,
  ),
  worklistShards: wholeNumber(16, 1, 256, 'shards'),
  staleAfterHours: wholeNumber(72, 0, 8760, 'hours').describe(
    'expected a whole number of hours from 1 to 8760, or 0 for never',
  ),
  queryRoleArn: z
    .string()
    .regex(changeableRole)
    .optional()
    .describe(
      "expected the ARN of an IAM role of the deployment's account, arn:aws:iam::<account>:role/<name>, not one that AWS manages",
    ),
  exportToS3: z.enum(['off', 'daily']).default('off').describe('expected "off" or "daily"'),
  exportRetentionDays: wholeNumber(400, 1, 3650, 'days'),
  logRetentionDays: fromText
    .refine((days) => logRetentionChoices.includes(days))
    .default(RetentionDays.ONE_MONTH)
    .describe(`expected a number of days CloudWatch Logs offers: ${logRetentionChoices.join(', ')}`),
  alarmTopicArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[A-Za-z0-9_-]{1,256}$/)
    .optional()
    .describe('expected the ARN of an SNS topic, arn:aws:sns:<region>:<account>:<topic>'),
  dashboard: offOrOn('on'),
  tracing: offOrOn(),
  invocationLogs: offOrOn(),
  accessLog: offOrOn('on'),
  encryptionKey: z.enum(['aws', 'customer']).default('aws').describe('expected "aws" or "customer"'),
};

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const lastLabel = '[a-z](?:[a-z0-9-]{0,61}[a-z0-9])';

/** API Gateway accepts lower case only; a name with `*` is not an address to send to. */
const domainName = new RegExp(`^(?=.{4,253}$)(?:${label}\\.)+${lastLabel}$`);

/** "Bucket naming rules" and "Creating object key names" of the Amazon S3 User Guide. */
const objectUrl = new RegExp(`^s3://(?=[^/]{3,63}/)(?:${label}\\.)*${label}/\\S{1,1024}$`);

/** Settings of a custom domain for the HTTP API, and of mutual TLS, which API Gateway offers only there. */
export const customDomainSettings = {
  domainName: z
    .string()
    .regex(domainName)
    .optional()
    .describe('expected a host name in lower case, for example sms.example.com, without https:// and path'),
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
  mutualTlsTruststoreVersion: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .optional()
    .describe('expected the version id that S3 gave the trust store, at most 64 characters'),
};

const everyDetailType = Object.values(detailTypes);

/** Two lists of this size fit into the 4 KB of a function's environment, beside everything else in it. */
const maxLists = 20;

const listIds = () => listOf(z.guid(), [], 'ids of contact lists at the SMS service, UUIDs', maxLists);

/** Events travel without TLS only to receivers on the same machine. */
function isForwardTarget(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
}

/** A URL is readable in the template and the console, so it must have none of the parts that carry keys. */
function holdsNoKey(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}

/** Settings of the automations, which are off by default. */
export const automationSettings = {
  optOutContacts: offOrOn(),
  optOutListIds: listIds(),
  optInListIds: listIds(),
  contactSync: offOrOn(),
  contactListIds: listIds(),
  contactSyncPeriodHours: wholeNumber(24, 1, 8760, 'hours'),
  failureAlert: offOrOn(),
  failureAlertMinutes: wholeNumber(15, 5, 1440, 'minutes'),
  forwardUrl: z
    .url({ protocol: /^https?$/, abort: true })
    .max(2048, { abort: true })
    .refine(isForwardTarget, { abort: true })
    .refine(
      holdsNoKey,
      'expected a URL without user name, password, query and fragment: a key in them would be readable in the template. Leave them out, and let the receiver verify the signature (docs/automations/forward.md); put values that are not secret into the path',
    )
    .optional()
    .describe(
      'expected an https URL of at most 2048 characters, or http on 127.0.0.1 or localhost, or leave the key out to forward nothing',
    ),
  forwardDetailTypes: listOf(
    z.enum(everyDetailType),
    [detailTypes.statusChanged, detailTypes.replyReceived, detailTypes.optOut, detailTypes.optIn],
    `some of ${everyDetailType.map((type) => `"${type}"`).join(', ')}`,
    everyDetailType.length,
  ),
  billingWatch: offOrOn(),
  billingWatchDays: wholeNumber(30, 1, 365, 'days'),
};
