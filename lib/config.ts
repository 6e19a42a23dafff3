import { z } from 'zod';
import { detailTypes } from '../functions/core/bus/detail-types.ts';
import { nearestName } from './nearest-name.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from './queue-timing.ts';
import { automationSettings } from './settings/automation-settings.ts';
import { customDomainSettings, domainMismatches } from './settings/custom-domain-settings.ts';
import { eventSettings } from './settings/event-settings.ts';
import { pipelineSettings } from './settings/pipeline-settings.ts';
import { registrationMismatches } from './settings/registration-mismatches.ts';

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
  )
  .refine(
    ({ everyEvent, forwardDetailTypes }) =>
      everyEvent === 'on' || !forwardDetailTypes.includes(detailTypes.deliveryEvent),
    {
      path: ['forwardDetailTypes'],
      message: `expected none that is not published: "${detailTypes.deliveryEvent}" is only where everyEvent is "on"`,
      when: ({ value }) => forwarding.safeParse(value).success,
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

/** Thrown for a wrong or unknown setting; the message has a line for each, naming its key. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(['Wrong settings (CDK context, from -c or cdk.json):', ...problems].join('\n  '));
  }
}

/**
 * Reads the settings out of the CDK context: the keys that begin with `sms:`. Of the domain's, null is as
 * good as none: a local run says so where cdk.json has one.
 *
 * @example
 * readSettings({ 'sms:retentionDays': '90' }).retentionDays; // 90
 * @throws SettingsError naming every wrong key, what was found and what was expected
 */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  const given = Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(settingsPrefix))
      .map(([key, value]) => [key.slice(settingsPrefix.length), value] as const)
      .filter(([name, value]) => value !== null || !(name in customDomainSettings)),
  );
  const result = settingsSchema.safeParse(given);
  const mismatches = [...domainMismatches(given), ...registrationMismatches(given)].map(
    ({ name, expected }) => problemWith(name, given, expected),
  );
  if (result.success && mismatches.length === 0) return result.data;
  const problems = result.error?.issues.flatMap((issue) => describe(issue, given)) ?? [];
  throw new SettingsError([...new Set([...problems, ...mismatches])]);
}

/** Not quoted: console and logs of a build are for many to read. */
const mayHoldKeys: ReadonlySet<string> = new Set(['forwardUrl', 'serviceBaseUrl']);

function describe(issue: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map(unknownKey);
  const name = String(issue.path[0]);
  const expected =
    issue.code === 'custom' && issue.message.startsWith('expected') ? issue.message : descriptionOf(name);
  return [problemWith(name, given, expected)];
}

function problemWith(name: string, given: Readonly<Record<string, unknown>>, expected: string): string {
  return `${settingsPrefix}${name}: found ${quote(name, given[name])}, ${expected}`;
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
