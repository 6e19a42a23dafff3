import * as z from 'zod';
import { parseJson } from '../../aws-protocol/http.ts';
import { TemplateError } from '../../cloudformation/template.ts';
import type { LogLine } from '../cloudwatch-logs/api.ts';

/** The values that the access log of an HTTP API can show here, by the names that follow `$context.`. */
export interface AccessContext {
  readonly requestId: string;
  readonly 'identity.sourceIp': string;
  /** A dash if no route was selected. */
  readonly routeKey: string;
  readonly status: string;
  /** In ms. */
  readonly responseLatency: string;
}

const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Compiles the format of a stage's access log. The format is JSON with `$context.<name>` in its texts.
 *
 * @returns a function that makes the line of a request: the format with the values instead of their names, and a dash for a missing value
 * ("Customize HTTP API access logs", API Gateway Developer Guide)
 * @throws TemplateError for any other format
 */
export function compileAccessLog(format: string): (context: AccessContext) => LogLine {
  if (!fieldsSchema.safeParse(parseJson(format)).success)
    throw new TemplateError(`the access log's format ${format} is not supported on one machine`);
  return (context) => {
    const values = new Map<string, string>(Object.entries(context));
    const withValues = (text: string) =>
      text.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => values.get(name) ?? '-');
    return JSON.parse(format, (_, value) => (typeof value === 'string' ? withValues(value) : value));
  };
}
