/** The command line is wrong: its message alone is shown, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command could not do its work, and a person can do something about it: message alone, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
