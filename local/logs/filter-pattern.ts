import { compileWildcard } from '../event-pattern/wildcard.ts';
import { TemplateError } from '../template/template.ts';

/** A line of a log that is JSON. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Whether a line is one of those that a metric filter counts. */
export type LineMatcher = (line: LogLine) => boolean;

const comparison = /^\$\.(\w+) (=|!=) "([^"\\]*)"$/;

/**
 * Reads the filter patterns that the stacks use ("Filter pattern syntax for metric filters", CloudWatch Logs User Guide):
 * fields of a JSON line compared with texts, in which `*` stands for any characters, all of which must hold.
 *
 * @example
 * compileFilterPattern('{ ($.route = "ANY /hook") && ($.status = "5*") }')({ route: 'ANY /hook', status: '503' }); // true
 * @throws TemplateError for any other pattern
 */
export function compileFilterPattern(pattern: string): LineMatcher {
  const [, body = ''] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const parts = body.split(' && ').map((part) => matcherOf(part.replace(/^\((.*)\)$/, '$1'), pattern));
  return (line) => parts.every((holds) => holds(line));
}

function matcherOf(part: string, pattern: string): LineMatcher {
  const [, field, operator, text] = comparison.exec(part) ?? [];
  if (field === undefined || text === undefined)
    throw new TemplateError(`the filter pattern ${pattern} is not supported on one machine`);
  const isText = compileWildcard(text, `$.${field}`);
  const isWanted = operator === '=';
  // What is not there is neither.
  return (line) => line[field] !== undefined && isText(String(line[field])) === isWanted;
}
