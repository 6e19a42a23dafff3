import { z } from 'zod';
import { TemplateError } from '../../cloudformation/template.ts';
import type { LogLine } from '../cloudwatch-logs/api.ts';

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

const fieldsSchema = z.record(z.string(), z.unknown());

/**
 * Reads the format of a stage's access log, JSON with `$context.` and a name in its texts.
 *
 * @returns gives the line of a request: the format with the values in place of their names, and a dash where there is none ("Customize
 * HTTP API access logs", API Gateway Developer Guide)
 * @throws TemplateError for any other format
 */
export function compileAccessLog(format: string): (context: AccessContext) => LogLine {
  if (!fieldsSchema.safeParse(parsed(format)).success)
    throw new TemplateError(`the access log's format ${format} is not supported on one machine`);
  return (context) => {
    const values = new Map<string, string>(Object.entries(context));
    const withValues = (text: string) =>
      text.replace(/\$context\.([A-Za-z.]+)/g, (_, name: string) => values.get(name) ?? '-');
    return JSON.parse(format, (_, value) => (typeof value === 'string' ? withValues(value) : value));
  };
}

function parsed(format: string): unknown {
  try {
    return JSON.parse(format);
  } catch {
    return undefined;
  }
}
