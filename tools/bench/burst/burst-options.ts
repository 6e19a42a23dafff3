import { readSettings, type Settings, SettingsError } from '../../../lib/settings/read-settings.ts';
import { OptionError } from '../../support/run-script.ts';

const multiples: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, B: 1e9 };
const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/**
 * Reads an amount: `1M`, `50k`, `2.5B`, `100`.
 * @throws OptionError that names the option
 */
export function amountOf(text: string, option: string): number {
  const [, digits, multiple = ''] = /^(\d+(?:\.\d+)?)([kMB]?)$/.exec(text) ?? [];
  if (digits === undefined) throw new OptionError(`--${option}: expected an amount, for example 50k or 1M`);
  return Number(digits) * (multiples[multiple] ?? Number.NaN);
}

/**
 * Reads a time: `60s`, `10m`, `1h`, `250ms`.
 * @returns seconds
 * @throws OptionError that names the option
 */
export function secondsOf(text: string, option: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (digits === undefined) throw new OptionError(`--${option}: expected a time, for example 60s or 10m`);
  return Number(digits) * (unitSeconds[unit] ?? Number.NaN);
}

const optionOf = {
  workerMaximumConcurrency: 'concurrency',
  workerBatchSize: 'batch',
  workerBatchWindowSeconds: 'window',
} as const;

/**
 * The settings with these values, which have to be as a deployment takes them.
 * @throws OptionError that names the options instead of the settings
 */
export function settingsWith(values: Readonly<Record<keyof typeof optionOf, string>>): Settings {
  try {
    return readSettings(
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`sms:${name}`, value])),
    );
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const [, ...problems] = error.message.split(/\n */);
    const named = Object.entries(optionOf).reduce(
      (text, [name, option]) => text.replaceAll(`sms:${name}`, `--${option}`).replaceAll(name, `--${option}`),
      problems.join('\n'),
    );
    throw new OptionError(named);
  }
}
