/**
 * Something the person at the terminal can put right: shown as its message alone, one clear line without a
 * stack trace, and the process ends with exit code 1.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}

/** Lines that tell the person at the terminal how far a run is. */
export interface Progress {
  /** Something is done; shown with the seconds since the start. */
  step(line: string): void;
  /** Something worth knowing that is not a step. */
  note(line: string): void;
  /** A line as it is. */
  print(line: string): void;
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
