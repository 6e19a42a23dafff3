import type { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Wait } from './context.ts';

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
