/**
 * Something the person at the terminal can put right: shown as its message alone, one clear line without a
 * stack trace, and the process ends with exit code 1.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
}
