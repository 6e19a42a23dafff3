const multiples: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, B: 1e9 };
const unitSeconds: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/**
 * Reads an amount: `1M`, `50k`, `2.5B`, `100`.
 * @throws Error that names the option
 */
export function amountOf(text: string, option: string): number {
  const [, digits, multiple = ''] = /^(\d+(?:\.\d+)?)([kMB]?)$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`--${option}: expected an amount, for example 50k or 1M`);
  return Number(digits) * (multiples[multiple] ?? Number.NaN);
}

/**
 * Reads a time: `60s`, `10m`, `1h`, `250ms`.
 * @returns seconds
 * @throws Error that names the option
 */
export function secondsOf(text: string, option: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (digits === undefined) throw new Error(`--${option}: expected a time, for example 60s or 10m`);
  return Number(digits) * (unitSeconds[unit] ?? Number.NaN);
}
