import { readSettings } from '../../../lib/app/read-settings.ts';
import { settings } from '../../../lib/app/settings-schema.ts';
import { settingsOfSource } from '../../../lib/app/source-settings.ts';
import type { Setting } from '../../../lib/options/setting-kinds.ts';
import { changedSettings } from '../../infra/support/built-app.ts';

/** Settings by their name, without `sms:`. */
export type SettingValues = Readonly<Record<string, unknown>>;

/** The settings that have their default in both states, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  stackName: 'Another name is another stack.',
  removalPolicy: '"destroy" lets CloudFormation delete the data whose survival is tested.',
  contractFile: 'Every pipeline has a contract, and it switches nothing.',
  keywordsFile: 'Every pipeline has keywords, and they switch nothing.',
  domainName: 'A certificate of ACM is valid only for a domain whose DNS proves its owner.',
  certificateArn: 'It belongs to domainName.',
  webhookAddress: 'It chooses between the address of the API and domainName.',
  mutualTlsTruststore: 'Mutual TLS needs domainName.',
  mutualTlsTruststoreVersion: 'It belongs to mutualTlsTruststore.',
  consoleDomainName: 'It needs a certificate too.',
  consoleCertificateArn: 'It belongs to consoleDomainName.',
  consoleOidcIssuer: 'The identity provider is outside of AWS, and replaces the user pool, which holds data.',
  consoleOidcClientId: 'It belongs to consoleOidcIssuer.',
  consoleOidcGroupsClaim: 'It belongs to consoleOidcIssuer.',
};

const defaults: SettingValues = { ...readSettings({}) };

/** Returns "off" for a switch, and 0 for a number that may be 0. Every other setting is left out, and has its default. */
function valueOff({ name, schema, choices = [] }: Setting): unknown {
  if (choices.includes('off')) return 'off';
  const mayBeZero = typeof defaults[name] === 'number' && schema.safeParse(0).success;
  return mayBeZero ? 0 : undefined;
}

/** Returns another word for a switch or a choice, and another value for every other setting. */
function valueOn(setting: Setting, values: SettingValues): unknown {
  const off = valueOff(setting) ?? defaults[setting.name];
  const word = setting.choices?.findLast((choice) => choice !== off);
  return word ?? values[setting.name] ?? Reflect.get(changedSettings, `sms:${setting.name}`);
}

/** Every optional setting is off. */
export const everythingOff: SettingValues = valuesOf(settings, valueOff);

/**
 * Returns settings with which everything is on, and nothing has its value of {@link everythingOff}. There is a second source, with everything
 * on too.
 *
 * @param values of the settings that name what must exist
 * @param valuesOfSource the same for the second source
 */
export function everythingOn(values: SettingValues, valuesOfSource: SettingValues): SettingValues {
  const on = (setting: Setting) => valueOn(setting, values);
  const backup = {
    contractFile: defaults.contractFile,
    ...valuesOf(settingsOfSource, on),
    ...valuesOfSource,
  };
  return valuesOf(settings, (setting) =>
    setting.name === 'sources' ? JSON.stringify({ backup }) : on(setting),
  );
}

function valuesOf(of: readonly Setting[], valueIn: (setting: Setting) => unknown): SettingValues {
  return Object.fromEntries(
    of
      .filter(({ name }) => exceptions[name] === undefined)
      .map((setting) => [setting.name, valueIn(setting)])
      .filter(([, value]) => value !== undefined),
  );
}

/** Returns the context of the CDK, as text as the command line has it. */
export function contextOf(values: SettingValues): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`sms:${name}`, String(value)]));
}

/** Returns the names of the settings that are the same in both states and are no exceptions. */
export function notSwitched(one: SettingValues, other: SettingValues): string[] {
  const read = (values: SettingValues): SettingValues => ({ ...readSettings(contextOf(values)) });
  const [first, second] = [read(one), read(other)];
  return settings
    .map(({ name }) => name)
    .filter((name) => exceptions[name] === undefined)
    .filter((name) => JSON.stringify(first[name]) === JSON.stringify(second[name]));
}
