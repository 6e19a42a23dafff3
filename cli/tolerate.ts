import type { Terminal } from './context.ts';
import { explainError, isPassing } from './explain-error.ts';
import { sanitize } from './text/sanitize.ts';

/** So many looks in a row that fail end what is followed. */
const mostFailures = 5;

/** Runs a look that may fail in passing; gives undefined where it did. */
export type Tolerate = <T>(look: () => Promise<T>) => Promise<T | undefined>;

/**
 * Lets looks at what is followed fail in passing, and says so on stderr once until one succeeds. What does not pass, and the
 * fifth failure in a row, is thrown.
 */
export function tolerating({ err }: Pick<Terminal, 'err'>): Tolerate {
  let failures = 0;
  return async (look) => {
    try {
      const found = await look();
      failures = 0;
      return found;
    } catch (error) {
      failures += 1;
      if (!isPassing(error) || failures >= mostFailures) throw error;
      if (failures === 1) err(`warning: ${sanitize(explainError(error) ?? '')} Looking again.\n`);
      return undefined;
    }
  };
}
