import type { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { sanitize } from '../text/sanitize.ts';
import type { Terminal, Wait } from './context.ts';
import { explainError, isTransient } from './errors.ts';

/**
 * Makes a wait that the first Ctrl-C interrupts. A second Ctrl-C ends the process.
 *
 * @param signals emits SIGINT: the process
 * @param output emits an error when its reader has closed it: stdout
 */
export function interruptibleWait(signals: EventEmitter, output: EventEmitter): Wait {
  const controller = new AbortController();
  const end = () => controller.abort();
  signals.once('SIGINT', end);
  output.once('error', end);
  const { signal } = controller;
  return async (milliseconds) => {
    // The timer fails only when it is aborted.
    if (!signal.aborted) await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
    return !signal.aborted;
  };
}

/** How many consecutive failures end a command that follows. */
const maxFailures = 5;

/** Runs a read; returns undefined after a transient failure. */
export type Tolerate = <T>(read: () => Promise<T>) => Promise<T | undefined>;

/**
 * Tolerates transient failures of repeated reads, with one warning on stderr until a read succeeds. It throws other errors and
 * the fifth consecutive failure.
 */
export function tolerating({ err }: Pick<Terminal, 'err'>): Tolerate {
  let failures = 0;
  return async (read) => {
    try {
      const result = await read();
      failures = 0;
      return result;
    } catch (error) {
      failures += 1;
      if (!isTransient(error) || failures >= maxFailures) throw error;
      if (failures === 1)
        err(`warning: ${sanitize(explainError(error) ?? '').replace(/[^.)]$/, '$&.')} Trying again.\n`);
      return undefined;
    }
  };
}
