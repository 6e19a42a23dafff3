/** Thrown for an invalid option. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

/** @throws OptionError naming the option and what was expected */
export function wholeNumber(option: string, text: string, min = 1): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= min)) throw new OptionError(`--${option}: expected a whole number of at least ${min}`);
  return number;
}

const userErrors: ReadonlySet<string> = new Set(['OptionError', 'SettingsError', 'UnknownSettingError']);

/**
 * Runs a script. Its exit code is the result of `main`, or 2 if `main` fails. Errors that the user can fix are shown without a stack.
 */
export async function runScript(main: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(isUserError(error) ? error.message : error);
    process.exitCode = 2;
  }
}

/** Returns whether the message alone is enough for the user; `parseArgs` throws TypeErrors with its own codes. */
function isUserError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return userErrors.has(error.name) || code.startsWith('ERR_PARSE_ARGS_');
}
