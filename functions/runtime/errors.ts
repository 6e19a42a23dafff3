/** Returns the name of what was thrown, for logs and metrics: never its message, which may hold data. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
