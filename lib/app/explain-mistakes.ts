/** The names of errors whose message is enough for a user. Any other error is a defect, and its stack helps to find it. */
const explained: ReadonlySet<string> = new Set([
  'SettingsError',
  'ContractFileError',
  'KeywordsFileError',
  'PipelinePropsError',
  'SubscriptionError',
  'BundleError',
  'ConsolePageError',
  // The CDK throws these for the rules that the constructs of an app add.
  'ValidationFailed',
  'ValidationFailedWithErrors',
]);

/**
 * Runs a CDK app. A mistake in a setting, a contract or a prop is printed as its message alone, and the process ends with exit code 1.
 *
 * @example
 * await explainMistakes(() => {
 *   const app = new App({ autoSynth: false });
 *   new SmsPipelineStack(app);
 *   app.synth();
 * });
 */
export async function explainMistakes(run: () => void | Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Error && explained.has(error.name))) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
