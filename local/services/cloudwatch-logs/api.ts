import { TemplateError } from '../../cloudformation/template.ts';
import { compileWildcard } from '../../event-patterns/value-patterns.ts';

/** A line of a log that is JSON. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Whether a metric filter counts a line. */
export type LineMatcher = (line: LogLine) => boolean;

const comparison = /^\$\.(\w+) (=|!=) "([^"\\]*)"$/;

/**
 * Compiles the filter patterns that the stacks use ("Filter pattern syntax for metric filters", CloudWatch Logs User Guide). A pattern compares
 * fields of a JSON line with texts, in which `*` stands for any characters. All comparisons must be true.
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
  const mustEqual = operator === '=';
  // A missing field neither equals nor differs.
  return (line) => line[field] !== undefined && isText(String(line[field])) === mustEqual;
}

interface Filter {
  readonly matches: LineMatcher;
  /** `<namespace>/<name>` */
  readonly metric: string;
}

/** Counts the lines that match the metric filters of log groups, since the run began. It does not see the logs of functions. */
export class LogMetrics {
  readonly #filters = new Map<string, Filter[]>();
  readonly #counts = new Map<string, number>();

  /**
   * @param metric `<namespace>/<name>`
   * @throws TemplateError for a pattern that is not supported here
   */
  addFilter(logGroup: string, pattern: string, metric: string): void {
    const filters = this.#filters.get(logGroup) ?? [];
    this.#filters.set(logGroup, [...filters, { matches: compileFilterPattern(pattern), metric }]);
    this.#counts.set(metric, this.#counts.get(metric) ?? 0);
  }

  /** Counts a line of the log group. */
  wrote(logGroup: string, line: LogLine): void {
    for (const { matches, metric } of this.#filters.get(logGroup) ?? [])
      if (matches(line)) this.#counts.set(metric, (this.#counts.get(metric) ?? 0) + 1);
  }

  /** The counts by `<namespace>/<name>`. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }
}
