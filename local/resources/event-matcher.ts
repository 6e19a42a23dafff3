import { compilePattern } from '../event-pattern/compile-pattern.ts';
import { PatternError } from '../event-pattern/pattern-error.ts';
import { TemplateError } from '../template/template.ts';

/**
 * Compiles a template's EventPattern.
 *
 * @throws TemplateError for what is not supported on one machine
 */
export function eventMatcher(pattern: unknown): (event: unknown) => boolean {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new TemplateError(`EventPattern: ${error.message}`);
    throw error;
  }
}
