/** Thrown for an option that is none. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** @throws OptionError naming the option and what was expected */
export function wholeNumber(option: string, text: string, least = 1): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least)) throw new OptionError(`--${option}: expected a whole number, ${least} at least`);
  return number;
}

const told: ReadonlySet<string> = new Set([
  'OptionError',
  'PriceFileError',
  'RuntimeInstallError',
  'SettingsError',
]);

/**
 * Runs a script. Its exit code is what `main` resolves with, or 2 where that fails: what somebody can mend is told without a stack.
 */
export async function runScript(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(isTold(error) ? error.message : error);
    process.exitCode = 2;
  }
}

/** Whether the message says it all; `parseArgs` throws TypeErrors with codes of its own. */
export function isTold(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return told.has(error.name) || code.startsWith('ERR_PARSE_ARGS_');
}
