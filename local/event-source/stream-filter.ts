import { compilePattern } from '../event-pattern/compile-pattern.ts';
import { TemplateError } from '../template/template.ts';
import { reasonOf } from './backoff.ts';

/**
 * What an event source mapping's filters let through: what one of them matches, everything where there is none.
 *
 * @param patterns JSON, in the language of EventBridge
 * @throws TemplateError for a pattern that is not JSON or says what is not supported
 */
export function compileFilters(patterns: readonly string[]): (record: unknown) => boolean {
  if (patterns.length === 0) return () => true;
  const matchers = patterns.map((pattern, index) => {
    try {
      return compilePattern(JSON.parse(pattern));
    } catch (error) {
      throw new TemplateError(`FilterCriteria.Filters.${index}.Pattern: ${reasonOf(error)}`);
    }
  });
  return (record) => matchers.some((matches) => matches(record));
}
