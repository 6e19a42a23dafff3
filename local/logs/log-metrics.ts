import { compileFilterPattern, type LineMatcher, type LogLine } from './filter-pattern.ts';

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
