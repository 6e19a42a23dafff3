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
  const { data: fields } = fieldsSchema.safeParse(parseJson(format));
  if (fields === undefined)
    throw new TemplateError(`the access log's format ${format} is not supported on one machine`);
  const compiled = Object.entries(fields).map(([name, value]) => [name, compileValue(value)] as const);
  return (context) => {
    const values = new Map<string, string>(Object.entries(context));
    return Object.fromEntries(compiled.map(([name, fill]) => [name, fill(values)]));
  };
}

type Fill = (values: ReadonlyMap<string, string>) => unknown;

/** Finds the names in a value once, so that a request only fills them in. */
function compileValue(value: unknown): Fill {
  if (typeof value !== 'string') {
    const text = JSON.stringify(value);
    if (!text.includes('$context.')) return () => value;
    return (values) =>
      JSON.parse(text, (_, inner) => (typeof inner === 'string' ? compileValue(inner)(values) : inner));
  }
  // The odd parts are names.
  const parts = value.split(/\$context\.([A-Za-z.]+)/);
  if (parts.length === 1) return () => value;
  return (values) =>
    parts.map((part, index) => (index % 2 === 0 ? part : (values.get(part) ?? '-'))).join('');
}
