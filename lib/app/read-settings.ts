import type * as z from 'zod';
import { editDistance } from '../../contract/document/nearest-names.ts';
import { rowsOf } from '../options/option-table.ts';
import type { Setting } from '../options/setting-kinds.ts';
import { notShown } from '../options/text-rules.ts';
import { conflicts, type Input } from './setting-conflicts.ts';
import { type Settings, settings, settingsSchema } from './settings-schema.ts';
import { settingsOfSource } from './source-settings.ts';

/** Settings are CDK context keys that begin with this, for example `-c sms:retentionDays=90`. */
const settingsPrefix = 'sms:';

/** The CDK would ignore such a key in silence, and the setting would have its default. */
const looksLikeSetting = /^\s*sms\s*[.:]/i;

/** The settings of the custom domain, which null unsets. */
const settingsOfDomain: ReadonlySet<string | undefined> = new Set(
  [...rowsOf('webhook.domain'), ...rowsOf('webhook.domain.mutualTls')].map(
    ([, { setting }]) => setting?.name,
  ),
);

/** Thrown for wrong or unknown settings; the message has a line for each, with its key. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(['Wrong settings (CDK context, from -c, cdk.json or cdk.context.json):', ...problems].join('\n  '));
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
  const strays = Object.keys(context).filter(
    (key) => !key.startsWith(settingsPrefix) && looksLikeSetting.test(key),
  );
  if (strays.length > 0) throw new SettingsError(strays.map(strayKey));
  const input: Input = Object.fromEntries(
    Object.entries(context)
      .filter(([key]) => key.startsWith(settingsPrefix))
      .map(([key, value]) => [key.slice(settingsPrefix.length), value] as const)
      .filter(([name, value]) => value !== null || !settingsOfDomain.has(name)),
  );
  const read = readInput(input);
  if (!read.success) throw new SettingsError(read.problems);
  return read.settings;
}

/**
 * Reads the settings of a further source, which are a block in `sms:sources`.
 *
 * @throws SettingsError naming every wrong key
 */
export function readSourceSettings(name: string, block: Input): Settings {
  const prefix = `${settingsPrefix}sources.${name}.`;
  const names = settingsOfSource.map((setting) => setting.name);
  const shared = Object.keys(block).filter((key) => !names.includes(key));
  const problems = shared.map((key) => `${prefix}${key}: no setting of a source: it has ${names.join(', ')}`);
  if (block.contractFile === undefined)
    problems.push(`${prefix}contractFile: found nothing, ${expectedOf('contractFile')}`);
  if (problems.length > 0) throw new SettingsError(problems);
  const read = readInput(block);
  if (read.success) {
    const { registration, lookups } = read.settings;
    // The default names the key of `main`, which another provider must not receive.
    if (block.apiKeySecretName !== undefined || (registration === 'off' && lookups === 'off'))
      return read.settings;
    throw new SettingsError([
      `${prefix}apiKeySecretName: found nothing, expected the name of the secret with the API key of this source, or registration "off" and no lookups`,
    ]);
  }
  throw new SettingsError(read.problems.map((problem) => problem.replace(settingsPrefix, prefix)));
}

type Read =
  | { readonly success: true; readonly settings: Settings }
  | { readonly success: false; readonly problems: readonly string[] };

function readInput(input: Input): Read {
  const result = settingsSchema.safeParse(input);
  const conflicting = conflicts
    .filter(({ isPresent }) => isPresent(input))
    .map(({ name, expected }) => problemWith(name, input, expected));
  if (result.success && conflicting.length === 0) return { success: true, settings: result.data };
  const problems = result.error?.issues.flatMap((issue) => describe(issue, input)) ?? [];
  return { success: false, problems: [...new Set([...problems, ...conflicting])] };
}

function describe(issue: z.core.$ZodIssue, input: Input): string[] {
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) return issue.keys.map(unknownKey);
  const name = String(issue.path[0]);
  const expected =
    issue.code === 'custom' && issue.message.startsWith('expected') ? issue.message : expectedOf(name);
  return [problemWith(name, input, expected)];
}

function problemWith(name: string, input: Input, expected: string): string {
  return `${settingsPrefix}${name}: found ${quote(name, input[name])}, ${expected}`;
}

function strayKey(key: string): string {
  const name = key.replace(looksLikeSetting, '').trim();
  return `${JSON.stringify(key)}: ${suggestionFor(name)}`;
}

function unknownKey(name: string): string {
  return `${settingsPrefix}${name}: ${suggestionFor(name)}`;
}

function suggestionFor(name: string): string {
  const names = settings.map((setting) => setting.name);
  return `no such setting, did you mean ${settingsPrefix}${nearestName(name, names)}?`;
}

const expectedOf = (name: string) => `expected ${settingNamed(name)?.expected}`;

function settingNamed(name: string): Setting | undefined {
  return settings.find((setting) => setting.name === name);
}

/** A wrong value that may hold a key is not shown, because many people can read the console and the logs of a build. */
function quote(name: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  if (settingNamed(name)?.isPrivate && value !== '') return notShown;
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 100 ? `${shown.slice(0, 100)}...` : shown;
}

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
