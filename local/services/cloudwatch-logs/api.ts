import { TemplateError } from '../../cloudformation/template.ts';
import { compileWildcard } from '../../event-patterns/value-patterns.ts';

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

interface Filter {
  readonly matches: LineMatcher;
  /** `<namespace>/<name>` */
  readonly metric: string;
}

/** What the metric filters of log groups have counted since the run began. What functions log is not told to it. */
export class LogMetrics {
  readonly #filters = new Map<string, Filter[]>();
  readonly #counts = new Map<string, number>();

  /**
   * @param metric `<namespace>/<name>`
   * @throws TemplateError for a pattern that is not understood here
   */
  addFilter(logGroup: string, pattern: string, metric: string): void {
    const filters = this.#filters.get(logGroup) ?? [];
    this.#filters.set(logGroup, [...filters, { matches: compileFilterPattern(pattern), metric }]);
    this.#counts.set(metric, this.#counts.get(metric) ?? 0);
  }

  /** A line came into the log group. */
  wrote(logGroup: string, line: LogLine): void {
    for (const { matches, metric } of this.#filters.get(logGroup) ?? [])
      if (matches(line)) this.#counts.set(metric, (this.#counts.get(metric) ?? 0) + 1);
  }

  /** By `<namespace>/<name>`. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
