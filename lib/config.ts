import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { z } from 'zod';
import { nearestName } from './nearest-name.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from './queue-timing.ts';

/** Settings are CDK context keys that begin with this, for example `-c sms:retentionDays=90`. */
const settingsPrefix = 'sms:';

/** `-c` passes text, cdk.json may hold a number: both are welcome. */
const fromText = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);

/** A rotation whose run died takes up to 8 minutes to be settled; so many receives of a parked request take 9. */
const leastReceives = 13;

const wholeNumber = (preset: number, least: number, most: number, unit: string) =>
  fromText
    .pipe(z.int().min(least).max(most))
    .default(preset)
    .describe(`expected a whole number of ${unit} from ${least} to ${most}`);

const text = (preset: string, pattern: RegExp, expected: string) =>
  z.string().regex(pattern).default(preset).describe(`expected ${expected}`);

const logRetentionChoices = Object.values(RetentionDays).filter(
  (days) => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** Nobody may add a policy to roles under these paths: of services, and of IAM Identity Center. */
const changeableRole =
  /^arn:aws[a-z-]*:iam::\d{12}:role\/(?!aws-service-role\/|aws-reserved\/)([\w+=,.@-]+\/)*[\w+=,.@-]{1,64}$/;

/** CloudFormation allows 128 characters in a stack's name; the longest of ours ends in "-Registration". */
const longestPrefix = 128 - '-Registration'.length;

const settingsSchema = z
  .strictObject({
    stackPrefix: text(
      'SmsPipeline',
      new RegExp(`^[A-Za-z][A-Za-z0-9-]{0,${longestPrefix - 1}}$`),
      `the beginning of the stacks' names: a letter, then letters, digits and hyphens, at most ${longestPrefix} characters`,
    ),
    contractFile: text('contract.json', /\S/, 'the path of the contract file'),
    apiKeySecretName: text(
      'sms-pipeline/api-key',
      /^[A-Za-z0-9/_+=.@-]{1,512}$/,
      'the name (not the ARN) of the Secrets Manager secret that holds the API key: letters, digits and /_+=.@-',
    ),
    serviceBaseUrl: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe("expected the service's http(s) URL, or no such key to use the contract's"),
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
    webhookDrift: z.enum(['repair', 'report']).default('repair').describe('expected "repair" or "report"'),
    throttleRatePerSecond: wholeNumber(1000, 1, 100_000, 'requests a second'),
    throttleBurst: wholeNumber(2000, 1, 100_000, 'requests'),
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
  })
  .refine((settings) => settings.workerBatchSize <= 10 || settings.workerBatchWindowSeconds >= 1, {
    path: ['workerBatchWindowSeconds'],
    message: 'expected at least 1: Lambda gathers a workerBatchSize above 10 only within a window',
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(retriesEndWithinRetention, {
    path: ['maxReceiveCount'],
    message: `expected fewer: so many receives, each 6 x workerTimeoutSeconds + workerBatchWindowSeconds apart, take longer than the ${queueRetentionDays} days the queue keeps a message, which would be lost`,
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(
    ({ rotateAfterDays, secretOverlapHours }) =>
      rotateAfterDays === 0 || rotateAfterDays * 24 > secretOverlapHours,
    {
      path: ['rotateAfterDays'],
      message:
        'expected 0, or longer than secretOverlapHours: while the secret before the current one is still accepted, no rotation begins',
      when: ({ value }) => secretAges.safeParse(value).success,
    },
  );

/** What the cross-checks need: they run also while other keys are wrong, so that all are told at once. */
const timing = z.object({
  workerBatchSize: z.number(),
  workerBatchWindowSeconds: z.number(),
  workerTimeoutSeconds: z.number(),
  maxReceiveCount: z.number(),
});
const secretAges = z.object({ rotateAfterDays: z.number(), secretOverlapHours: z.number() });

function retriesEndWithinRetention(settings: z.output<typeof timing>): boolean {
  const visibility = visibilityTimeoutSeconds(
    settings.workerTimeoutSeconds,
    settings.workerBatchWindowSeconds,
  );
  return settings.maxReceiveCount * visibility < queueRetentionDays * 24 * 3600;
}

/** Every setting, validated, with its default filled in. */
export type Settings = Readonly<z.output<typeof settingsSchema>>;

const settingNames = Object.keys(settingsSchema.shape);

/** Thrown for a wrong or unknown setting; the message has a line for each, naming its key. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(['Wrong settings (CDK context, from -c or cdk.json):', ...problems].join('\n  '));
  }
}

/**
 * Reads the settings out of the CDK context: the keys that begin with `sms:`.
 *
 * @example
 * readSettings({ 'sms:retentionDays': '90' }).retentionDays; // 90
 * @throws SettingsError naming every wrong key, what was found and what was expected
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(settingsPrefix))
      .map(([key, value]) => [key.slice(settingsPrefix.length), value]),
  );
  const result = settingsSchema.safeParse(given);
  if (result.success) return result.data;
  throw new SettingsError(result.error.issues.flatMap((issue) => describe(issue, given)));
}

function describe(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey);
  const name = String(issue.path[0]);
  const expected =
    issue.code === 'custom' && issue.message.startsWith('expected') ? issue.message : descriptionOf(name);
  return [`${settingsPrefix}${name}: found ${quote(given[name])}, ${expected}`];
}

function unknownKey(name: string): string {
  const nearest = nearestName(name, settingNames);
  return `${settingsPrefix}${name}: no such setting, did you mean ${settingsPrefix}${nearest}?`;
}

function descriptionOf(name: string): string {
  const setting = Object.entries(settingsSchema.shape).find(([key]) => key === name)?.[1];
  return setting?.description ?? 'expected another value';
}

function quote(value: unknown): string {
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 100 ? `${shown.slice(0, 100)}...` : shown;
}
