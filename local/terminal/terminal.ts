/**
 * An error that the user can fix. The terminal shows only its message, without a stack trace, and the process ends with exit code 1.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Shows the progress of a run at the terminal. */
export interface Progress {
  /** Shows a finished step with the seconds since the start. */
  step(line: string): void;
  /** Shows a note. */
  note(line: string): void;
  /** Shows a line unchanged. */
  print(line: string): void;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function startProgress(now: () => number): Progress {
  const startedAt = now();
  return {
    step(line) {
      const seconds = ((now() - startedAt) / 1000).toFixed(1);
      console.log(`${seconds.padStart(5)} s  ${line}`);
    },
    note: (line) => console.error(`  note   ${line}`),
    print: (line) => console.log(line),
  };
}
