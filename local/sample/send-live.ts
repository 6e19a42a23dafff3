import { type Progress, reasonOf } from '../terminal/terminal.ts';
import type { LiveTraffic } from './traffic/live-traffic.ts';
import type { SampleEvent } from './traffic/sample-event.ts';

export interface SendLivePorts {
  /** Rejects if not all events were acknowledged. */
  readonly send: (events: readonly SampleEvent[]) => Promise<void>;
  /** Resolves when the next events may be due. */
  readonly pause: () => Promise<unknown>;
  readonly clock: () => number;
  readonly progress: Pick<Progress, 'note' | 'step'>;
  readonly isEnding: () => boolean;
}

/**
 * Sends what is due until the run ends. Events that cannot be sent, for example because the webhook is deactivated, are lost; one line says so
 * for each interruption.
 */
export async function sendLive(
  live: LiveTraffic,
  { send, pause, clock, progress, isEnding }: SendLivePorts,
): Promise<void> {
  let isInterrupted = false;
  while (!isEnding()) {
    const due = live.due(clock());
    if (due.length > 0) {
      const reason = await reasonNotSent(() => send(due));
      // While the run ends the sandbox ends too.
      if (isEnding()) return;
      if (reason !== undefined && !isInterrupted)
        progress.note(`live traffic stops until the webhook accepts it: ${reason}`);
      if (reason === undefined && isInterrupted) progress.step('live traffic goes on');
      isInterrupted = reason !== undefined;
    }
    await pause();
  }
}

async function reasonNotSent(send: () => Promise<void>): Promise<string | undefined> {
  try {
    await send();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
