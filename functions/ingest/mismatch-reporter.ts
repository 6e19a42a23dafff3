import type { SignalQueue } from '../adapters/signal-queue.ts';
import type { MismatchWatch } from '../core/webhook/mismatch-signal.ts';
import type { Log } from '../runtime/log-catalogue.ts';

/** Told of each request; tells setup of mismatches when there is something to tell. */
export interface MismatchReporter {
  verified(): void;
  /** Never throws: what the request is answered does not depend on it. To be awaited, since Lambda freezes the rest. */
  mismatched(isRotating: boolean): Promise<void>;
}

export function createMismatchReporter(
  watch: MismatchWatch,
  signals: SignalQueue,
  log: Log,
): MismatchReporter {
  return {
    verified: watch.verified,
    mismatched: async (isRotating) => {
      const signal = watch.mismatched(isRotating);
      if (signal === undefined) return;
      try {
        await signals.send(signal);
      } catch (error) {
        log('SIGNAL_NOT_SENT', {
          error: error instanceof Error ? error.name : 'unknown',
          mismatches: signal.mismatches,
        });
      }
    },
  };
}
