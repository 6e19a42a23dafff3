/** The settings that change what a pipeline costs, and which an estimate knows. */
export interface CostSettings {
  readonly retentionDays: number;
  readonly recoveryDays: number;
  readonly historyTableClass: 'standard' | 'infrequent-access';
  readonly insights: 'on' | 'off';
  readonly invocationLogs: 'on' | 'off';
  readonly accessLog: 'on' | 'off';
  readonly tracing: 'on' | 'off';
  readonly everyEvent: 'on' | 'off';
  readonly forwardUrl: 'on' | 'off';
  readonly lookups: 'on' | 'off';
  readonly deliveryWatch: 'on' | 'off';
  readonly registration: 'on' | 'off';
  readonly encryptionKey: 'aws' | 'customer';
  readonly dashboard: 'on' | 'off';
}

/** A setting's default, its values, and what a person reads who chooses one. */
export type SettingRule =
  | { readonly meaning: string; readonly values: readonly [string, string]; readonly default: string }
  | { readonly meaning: string; readonly min: number; readonly max: number; readonly default: number };

const onOff = (preset: 'on' | 'off', meaning: string): SettingRule => ({
  meaning,
  values: ['on', 'off'],
  default: preset,
});

export const settingRules: Readonly<Record<keyof CostSettings, SettingRule>> = {
  retentionDays: { meaning: 'Days for which messages are kept', min: 1, max: 3650, default: 400 },
  recoveryDays: { meaning: 'Days for which tables can be restored', min: 0, max: 35, default: 35 },
  historyTableClass: {
    meaning: 'Class of the history table',
    values: ['standard', 'infrequent-access'],
    default: 'standard',
  },
  insights: onOff('on', 'Insights, which count messages live'),
  invocationLogs: onOff('off', "Lambda's own log lines"),
  accessLog: onOff('on', 'A log line for each request'),
  tracing: onOff('off', 'Tracing with X-Ray'),
  everyEvent: onOff('off', 'An event for every delivery report, not only for changes'),
  forwardUrl: onOff('off', 'Forwarding of status changes, replies, opt-outs and opt-ins to a URL'),
  lookups: onOff('off', 'Lookups of missing reports'),
  deliveryWatch: onOff('off', 'Delivery watch'),
  registration: onOff('on', 'Registration of the webhook at the SMS service'),
  encryptionKey: {
    meaning: 'Owner of the key that encrypts the data',
    values: ['aws', 'customer'],
    default: 'aws',
  },
  dashboard: onOff('on', 'Dashboard in CloudWatch'),
};

export const settingNames = Object.keys(settingRules) as (keyof CostSettings)[];

export const defaultSettings = Object.fromEntries(
  settingNames.map((name) => [name, settingRules[name].default]),
) as unknown as CostSettings;

/** Thrown for a setting that an estimate does not know, or a value that it does not have. */
class UnknownSettingError extends Error {
  override readonly name = 'UnknownSettingError';
}

/** Reads settings from their texts, for example `{ insights: 'off' }`. @throws UnknownSettingError that names what may be written */
export function readCostSettings(texts: Readonly<Record<string, string>>): Partial<CostSettings> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, readValue(name, text)]));
}

function readValue(name: string, text: string): string | number {
  const rule = settingRules[name as keyof CostSettings];
  if (!Object.hasOwn(settingRules, name))
    throw new UnknownSettingError(
      `The estimate does not know the setting "${name}". Use one of: ${settingNames.join(', ')}.`,
    );
  if ('values' in rule) {
    if (rule.values.includes(text)) return text;
    throw new UnknownSettingError(`${name}: found "${text}", expected ${rule.values.join(' or ')}.`);
  }
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= rule.min && value <= rule.max) return value;
  throw new UnknownSettingError(
    `${name}: found "${text}", expected a whole number from ${rule.min} to ${rule.max}.`,
  );
}
