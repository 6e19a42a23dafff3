import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { fromText, listOf, offOrOn, text, wholeNumber } from './setting-types.ts';

/** Of the event bus and what is put on it. */
export const eventSettings = {
  everyEvent: offOrOn(),
  publisherParallelism: wholeNumber(2, 1, 10, 'batches of a shard at once'),
  eventArchiveDays: wholeNumber(30, 0, 3650, 'days').describe(
    'expected a whole number of days from 1 to 3650, or 0 for no archive',
  ),
  // Each is in two statements of the bus's policy, which takes 10,240 characters.
  eventBusAccounts: listOf(
    z.string().regex(/^\d{12}$/),
    [],
    'ids of AWS accounts as text, 12 digits each',
    50,
  ),
  eventSchemaRegistry: offOrOn(),
};

/** A rotation whose run died takes up to 8 minutes to be settled; so many receives of a parked request take 9. */
const leastReceives = 13;

const logRetentionChoices = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** Nobody may add a policy to roles under these paths: of services, and of IAM Identity Center. */
const changeableRole =
  /^arn:aws[a-z-]*:iam::\d{12}:role\/(?!aws-service-role\/|aws-reserved\/)([\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/;

/** CloudFormation allows 128 characters in a stack's name; the longest of ours ends in "-Registration". */
const longestPrefix = 128 - '-Registration'.length;

/** Two of them fit into the 900 of an account's 1,000 that Lambda lets it reserve. */
const mostReserved = 400;

/** None by default: an account whose limit is 10 has nothing to reserve, and Lambda refuses the deployment. */
const reservedConcurrency = () =>
  wholeNumber(0, 0, mostReserved, 'concurrent invocations').describe(
    `expected a whole number of concurrent invocations from 1 to ${mostReserved}, or 0 to reserve none`,
  );

/** A capture that is forgotten would go on for long. */
const longestCaptureMs = 7 * 24 * 3_600_000;

/** Of what comes in, is kept and is asked. */
export const pipelineSettings = {
  stackPrefix: text(
    'SmsPipeline',
    new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${longestPrefix - 1}}$`),
    `the beginning of the stacks' names: a letter, then letters, digits and hyphens, at most ${longestPrefix} characters`,
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
      "expected the service's http(s) URL, at most 512 characters, or no such key to use the contract's",
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
    .refine((until) => Date.parse(until) - Date.now() <= longestCaptureMs)
    .optional()
    .describe(
      'expected a time in UTC of at most 7 days ahead, for example 2026-01-15T12:00:00Z, or no such key to capture nothing',
    ),
  webhookDrift: z.enum(['repair', 'report']).default('repair').describe('expected "repair" or "report"'),
  allowedSourceIps: listOf(
    z.union([z.cidrv4(), z.cidrv6()]),
    [],
    'ranges of IP addresses as CIDR, for example 192.0.2.0/24',
    50,
  ),
  throttleRatePerSecond: wholeNumber(1000, 1, 100_000, 'requests a second'),
  // At most what an account has in every region: 1,250 in some ("Amazon API Gateway quotas", developer guide).
  throttleBurst: wholeNumber(1000, 1, 100_000, 'requests'),
  queryReservedConcurrency: reservedConcurrency(),
  ingestReservedConcurrency: reservedConcurrency(),
  workerBatchSize: wholeNumber(100, 1, 10_000, 'queue messages'),
  workerBatchWindowSeconds: wholeNumber(1, 0, 300, 'seconds'),
  // The worker starts no write in its last five seconds, so that what it began can end.
  workerTimeoutSeconds: wholeNumber(20, 10, 900, 'seconds'),
  workerMaximumConcurrency: wholeNumber(50, 2, 1000, 'concurrent invocations'),
  maxReceiveCount: wholeNumber(20, leastReceives, 1000, 'receives').describe(
    `expected a whole number of receives from ${leastReceives} to 1000: with fewer, what was parked goes to the dead letter queue before a rotation whose run died is settled`,
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
      'expected the ARN of an IAM role of the account that is deployed to, arn:aws:iam::<account>:role/<name>, and none that AWS keeps for itself',
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
