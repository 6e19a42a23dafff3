import * as z from 'zod';
import { editDistance } from '../../contract/document/nearest-names.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from '../props/queue-timing.ts';
import {
  automationSettings,
  customDomainSettings,
  eventSettings,
  pipelineSettings,
} from './setting-schemas.ts';

/** Returns whether `word` is `whole` with letters left out. */
function isShortFor(word: string, whole: string): boolean {
  let from = 0;
  return [...word].every((letter) => {
    const place = whole.indexOf(letter, from);
    from = place + 1;
    return place >= 0;
  });
}

/** Returns the candidate most similar to `name`, preferably one that it abbreviates; letter case does not count. */
function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const lowerCase = name.toLowerCase();
  const distances = candidates.map((candidate) => ({
    candidate,
    isWhole: isShortFor(lowerCase, candidate.toLowerCase()),
    distance: editDistance(lowerCase, candidate.toLowerCase()),
  }));
  const sorted = distances.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.distance - b.distance);
  return sorted[0]?.candidate;
}

/** A setting as a user wrote it, right or wrong. */
type Input = Readonly<Record<string, unknown>>;

/** A setting that is missing for, or contradicts, another one. */
interface Conflict {
  readonly name: string;
  readonly isPresent: (input: Input) => boolean;
  readonly expected: string;
}

const conflicts: readonly Conflict[] = [
  {
    name: 'certificateArn',
    isPresent: ({ domainName, certificateArn }) => domainName !== undefined && certificateArn === undefined,
    expected: "expected the ARN of an ACM certificate for domainName, in the deployment's region",
  },
  {
    name: 'domainName',
    isPresent: ({ domainName, certificateArn }) => certificateArn !== undefined && domainName === undefined,
    expected: 'expected the host name that certificateArn is for',
  },
  {
    name: 'mutualTlsTruststore',
    isPresent: ({ mutualTlsTruststore, domainName }) =>
      mutualTlsTruststore !== undefined && domainName === undefined,
    expected: 'expected none without domainName: API Gateway has mutual TLS for custom domains only',
  },
  {
    name: 'mutualTlsTruststoreVersion',
    isPresent: ({ mutualTlsTruststore, mutualTlsTruststoreVersion }) =>
      mutualTlsTruststoreVersion !== undefined && mutualTlsTruststore === undefined,
    expected: 'expected none without mutualTlsTruststore',
  },
  {
    name: 'webhookAddress',
    isPresent: ({ mutualTlsTruststore, webhookAddress }) =>
      mutualTlsTruststore !== undefined && webhookAddress === 'api',
    expected:
      'expected "domain": mutualTlsTruststore disables the address of the API, where clients could bypass mutual TLS',
  },
  ...['pageTopicArn', 'runbookUrl'].map((name) => ({
    name,
    isPresent: (input: Input) => input[name] !== undefined && input.alarmTopicArn === undefined,
    expected: 'expected none without alarmTopicArn: alarms notify no one then',
  })),
  ...[
    ['consoleDomainName', 'consoleCertificateArn'],
    ['consoleCertificateArn', 'consoleDomainName'],
    ['consoleOidcIssuer', 'consoleOidcClientId'],
    ['consoleOidcClientId', 'consoleOidcIssuer'],
  ].map(([name = '', other = '']) => ({
    name,
    isPresent: (input: Input) => input[other] !== undefined && input[name] === undefined,
    expected: `expected one too, because ${other} is set`,
  })),
  // These automations exchange the API key for a token.
  ...['optOutContacts', 'contactSync', 'billingWatch'].map((name) => ({
    name,
    isPresent: (input: Input) => input.registration === 'off' && input[name] === 'on',
    expected:
      'expected "off": it calls the API of the SMS service, and with registration "off" there is none',
  })),
  {
    name: 'deliveryWatch',
    isPresent: ({ insights, deliveryWatch }) => insights === 'off' && deliveryWatch === 'on',
    expected: 'expected "off": it reads the counters of insights, and with insights "off" there are none',
  },
  {
    name: 'rotateAfterDays',
    isPresent: ({ registration, rotateAfterDays = 0 }) =>
      registration === 'off' && /^[1-9]/.test(String(rotateAfterDays)),
    expected:
      'expected 0: with registration "off" you create a new secret in the console of the SMS service, and store it with "webhook store-secret"',
  },
  {
    name: 'parkUnverified',
    isPresent: ({ registration, parkUnverified }) => registration === 'off' && parkUnverified === 'always',
    expected:
      'expected "rotating": with registration "off" the pipeline cannot ask the SMS service for the secret that parked requests wait for',
  },
];

/** Settings are CDK context keys that begin with this, for example `-c sms:retentionDays=90`. */
const settingsPrefix = 'sms:';

const settingsSchema = z
  .strictObject({ ...pipelineSettings, ...customDomainSettings, ...eventSettings, ...automationSettings })
  .refine((settings) => settings.workerBatchSize <= 10 || settings.workerBatchWindowSeconds >= 1, {
    path: ['workerBatchWindowSeconds'],
    message: 'expected at least 1: Lambda gathers a workerBatchSize above 10 only within a window',
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(retriesEndWithinRetention, {
    path: ['maxReceiveCount'],
    message: `expected fewer: this many receives, each 6 x workerTimeoutSeconds + workerBatchWindowSeconds apart, take longer than the queue's retention of ${queueRetentionDays} days, so that messages would be lost`,
    when: ({ value }) => timing.safeParse(value).success,
  })
  .refine(
    ({ rotateAfterDays, secretOverlapHours }) =>
      rotateAfterDays === 0 || rotateAfterDays * 24 > secretOverlapHours,
    {
      path: ['rotateAfterDays'],
      message:
        'expected 0, or longer than secretOverlapHours: no rotation begins while the previous secret is still accepted',
      when: ({ value }) => secretAges.safeParse(value).success,
    },
  )
  .refine(
    ({ everyEvent, forwardDetailTypes }) =>
      everyEvent === 'on' || !forwardDetailTypes.includes(detailTypes.deliveryEvent),
    {
      path: ['forwardDetailTypes'],
      message: `expected published types only: "${detailTypes.deliveryEvent}" needs everyEvent "on"`,
      when: ({ value }) => forwarding.safeParse(value).success,
    },
  );

/** The input of the cross-checks. They run even if other keys are wrong, so that all problems are reported at once. */
const timing = z.object({
  workerBatchSize: z.number(),
  workerBatchWindowSeconds: z.number(),
  workerTimeoutSeconds: z.number(),
  maxReceiveCount: z.number(),
});
const secretAges = z.object({ rotateAfterDays: z.number(), secretOverlapHours: z.number() });
const forwarding = z.object({ everyEvent: z.string(), forwardDetailTypes: z.array(z.string()) });

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

/** Thrown for wrong or unknown settings; the message has a line for each, with its key. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(['Wrong settings (CDK context, from -c or cdk.json):', ...problems].join('\n  '));
  }
}

/**
 * Reads the settings from the CDK context: the keys that begin with `sms:`. Null unsets a setting of the custom domain: local runs
 * use it to override cdk.json.
 *
 * @example
 * readSettings({ 'sms:retentionDays': '90' }).retentionDays; // 90
 * @throws SettingsError naming every wrong key, what was found and what was expected
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const input: Input = Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(settingsPrefix))
      .map(([key, value]) => [key.slice(settingsPrefix.length), value] as const)
      .filter(([name, value]) => value !== null || !(name in customDomainSettings)),
  );
  const result = settingsSchema.safeParse(input);
  const conflicting = conflicts
    .filter(({ isPresent }) => isPresent(input))
    .map(({ name, expected }) => problemWith(name, input, expected));
  if (result.success && conflicting.length === 0) return result.data;
  const problems = result.error?.issues.flatMap((issue) => describe(issue, input)) ?? [];
  throw new SettingsError([...new Set([...problems, ...conflicting])]);
}

/** These settings are not quoted, because many people can read the console and the logs of a build. */
const mayHoldKeys: ReadonlySet<string> = new Set(['forwardUrl', 'runbookUrl', 'serviceBaseUrl']);

function describe(issue: z.core.$ZodIssue, input: Input): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey);
  const name = String(issue.path[0]);
  const expected =
    issue.code === 'custom' && issue.message.startsWith('expected') ? issue.message : descriptionOf(name);
  return [problemWith(name, input, expected)];
}

function problemWith(name: string, input: Input, expected: string): string {
  return `${settingsPrefix}${name}: found ${quote(name, input[name])}, ${expected}`;
}

function unknownKey(name: string): string {
  const nearest = nearestName(name, settingNames);
  return `${settingsPrefix}${name}: no such setting, did you mean ${settingsPrefix}${nearest}?`;
}

function descriptionOf(name: string): string {
  const setting = Object.entries(settingsSchema.shape).find(([key]) => key === name)?.[1];
  return setting?.description ?? 'expected another value';
}

function quote(name: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (mayHoldKeys.has(name) && value !== '') return 'something else (not shown: it may hold a key)';
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 100 ? `${shown.slice(0, 100)}...` : shown;
}
