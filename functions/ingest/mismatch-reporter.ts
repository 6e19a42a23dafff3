import type { SignalQueue } from '../adapters/signal-queue.ts';
import type { MismatchSignal, MismatchWatch } from '../core/webhook/mismatch-signal.ts';
import type { IngestLog } from '../runtime/log-catalogue.ts';

/** Told of each request; tells setup of mismatches when there is something to tell. */
export interface MismatchReporter {
  verified(): void;
  /** Never throws: what the request is answered does not depend on it. To be awaited, since Lambda freezes the rest. */
  mismatched(isRotating: boolean): Promise<void>;
  /** The same of a request that was captured. @param isMismatch whether its signature fitted no secret */
  captured(isMismatch: boolean): Promise<void>;
}

export function createMismatchReporter(
  watch: MismatchWatch,
  signals: SignalQueue,
  log: IngestLog,
): MismatchReporter {
  async function send(signal: MismatchSignal | undefined): Promise<void> {
    if (signal === undefined) return;
    try {
      await signals.send(signal);
    } catch (error) {
      log('SIGNAL_NOT_SENT', {
        error: error instanceof Error ? error.name : 'unknown',
        mismatches: signal.mismatches,
      });
    }
  }

  return {
    verified: watch.verified,
    mismatched: (isRotating) => send(watch.mismatched(isRotating)),
    captured: (isMismatch) => send(watch.captured(isMismatch)),
  };
}
