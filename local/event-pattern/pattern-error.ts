/** A pattern says what EventBridge refuses or what is not supported on one machine; the message names the path. */
export class PatternError extends Error {
  override readonly name = 'PatternError';

  /** @param path where in the pattern, for example `detail.status` */
  constructor(path: string, reason: string) {
    super(`${path === '' ? 'the pattern' : path}: ${reason}`);
  }
}
