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
