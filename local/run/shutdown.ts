/** How long ending may take before the process just ends. */
const DEADLINE_MS = 5000;

/** Ends a run on every way out: signals, uncaught errors, and when asked to. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = [];
  #ending = false;

  /** Whether the run is ending: what fails from now on is no news. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Adds a step; the last one added goes first. */
  add(step: () => unknown): void {
    this.#steps.unshift(step);
  }

  /** Takes all steps and ends the process. */
  async end(exitCode: number): Promise<void> {
    if (this.#ending) return;
    this.#ending = true;
    setTimeout(() => process.exit(exitCode), DEADLINE_MS).unref();
    for (const step of this.#steps) {
      try {
        await step();
      } catch (error) {
        console.error(error);
      }
    }
    process.exit(exitCode);
  }

  /** @param signalExitCode exit code when a signal asks for the end */
  listen(signalExitCode: number): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => void this.end(signalExitCode));
    }
    const crash = (error: unknown): void => {
      if (!this.#ending) console.error(error);
      void this.end(1);
    };
    process.on('uncaughtException', crash);
    process.on('unhandledRejection', crash);
    // Nobody reads any more; the signal that comes with it ends the run.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
  }
}
