/** What the access log of an HTTP API can tell of a request on this machine, by the names that follow `$context.`. */
export interface AccessContext {
  readonly requestId: string;
  readonly 'identity.sourceIp': string;
  /** Where no route was selected, a dash. */
  readonly routeKey: string;
  readonly status: string;
  /** In ms. */
  readonly responseLatency: string;
}

/**
 * A line of the access log: the stage's format with the values in place of their names, and a dash where there is none ("Customize HTTP
 * API access logs", API Gateway Developer Guide).
 */
export function accessLogLine(format: string, context: AccessContext): string {
  const values = new Map<string, string>(Object.entries(context));
  return format.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => values.get(name) ?? '-');
}
