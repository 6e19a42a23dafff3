import { z } from 'zod';
import { detailTypes } from '../../functions/bus/event-types.ts';
import { automationSettings } from './automation-settings.ts';
import { customDomainSettings, domainMismatches } from './custom-domain-settings.ts';
import { eventSettings, pipelineSettings } from './pipeline-settings.ts';
import { queueRetentionDays, visibilityTimeoutSeconds } from './queue-timing.ts';

/** Number of single-character insertions, deletions and replacements between two words (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1);
      const deleted = (previous[column + 1] ?? 0) + 1;
      const inserted = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, deleted, inserted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** Whether a word is another with letters left out. */
function isShortFor(word: string, whole: string): boolean {
  let from = 0;
  return [...word].every((letter) => {
    const place = whole.indexOf(letter, from);
    from = place + 1;
    return place >= 0;
  });
}

/** The candidate that `name` was most likely meant to be, first one that it is short for; letter case does not count. */
function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  const distances = candidates.map((candidate) => ({
    candidate,
    isWhole: isShortFor(given, candidate.toLowerCase()),
    distance: editDistance(given, candidate.toLowerCase()),
  }));
  const sorted = distances.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.distance - b.distance);
  return sorted[0]?.candidate;
}

/** A setting that does not go with `registration` off. */
interface RegistrationMismatch {
  readonly name: string;
  readonly expected: string;
}

/** All of them exchange the API key for a token. */
const automationsOfTheApi = ['optOutContacts', 'contactSync', 'billingWatch'] as const;

/**
 * What is asked for that nobody can do where the pipeline does not register its webhook itself.
 * @param given the settings as they were given, right or wrong
 */
function registrationMismatches(given: Readonly<Record<string, unknown>>): RegistrationMismatch[] {
  if (given.registration !== 'off') return [];
  const found: RegistrationMismatch[] = automationsOfTheApi
    .filter((name) => given[name] === 'on')
    .map((name) => ({
      name,
      expected:
        'expected "off": it calls the API of the SMS service, and with registration "off" there is none',
    }));
  if (/^[1-9]/.test(String(given.rotateAfterDays ?? 0)))
    found.push({
      name: 'rotateAfterDays',
      expected:
        'expected 0: with registration "off" a new secret is made in the console of the SMS service, and stored with "webhook store-secret"',
    });
  if (given.parkUnverified === 'always')
    found.push({
      name: 'parkUnverified',
      expected:
        'expected "rotating": with registration "off" the SMS service cannot be asked for the secret that parked requests wait for',
    });
  return found;
}

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
