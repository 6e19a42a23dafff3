import type { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sanitize } from '../text/sanitize.ts';
import type { Terminal, Wait } from './context.ts';
import { explainError, isTransient } from './errors.ts';

/**
 * A waiting that Ctrl-C ends, once: the second one ends the process, as ever.
 *
 * @param signals tells of SIGINT; the process itself
 * @param output fails where who reads it has gone; stdout
 */
export function interruptibleWait(signals: EventEmitter, output: EventEmitter): Wait {
  const controller = new AbortController();
  const end = () => controller.abort();
  signals.once('SIGINT', end);
  output.once('error', end);
  const { signal } = controller;
  return async (milliseconds) => {
    // An aborted timer is the one way for it to fail.
    if (!signal.aborted) await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  };
}

/** So many looks in a row that fail end what is followed. */
const maxFailures = 5;

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
      if (!isTransient(error) || failures >= maxFailures) throw error;
      if (failures === 1) err(`warning: ${sanitize(explainError(error) ?? '')} Looking again.\n`);
      return undefined;
    }
  };
}
