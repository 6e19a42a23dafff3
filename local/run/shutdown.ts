/** The maximum duration of a shutdown. Then the process exits in any case. */
const DEADLINE_MS = 5000;

/** Ends a run after a signal, an uncaught error, or a call of {@link end}. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = [];
  #ending = false;

  /** Whether the run is ending. Failures are expected then. */
  get ending(): boolean {
    return this.#ending;
  }

  /** Adds a step. The step that was added last runs first. */
  add(step: () => unknown): void {
    this.#steps.unshift(step);
  }

  /** Runs all steps and ends the process. */
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

  /** @param signalExitCode the exit code after a signal */
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
    // The terminal is closed; the signal of that ends the run.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
  }
}
