import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalRun } from '../run/run.ts';
import type { Shutdown } from '../run/shutdown.ts';
import type { ReportFill } from '../run/start-console.ts';
import type { Progress } from '../terminal/terminal.ts';
import { fill, sendSample } from './fill.ts';
import { sampleStateFile } from './sample-state.ts';
import { sendLive } from './send-live.ts';
import { timelineOf } from './timeline.ts';

const liveStepMs = 1000;

/**
 * Fills the pipeline with the sample, and then sends live traffic until the run ends. Kept tables get what has happened in the sample since
 * their last fill, each event at its own time. A fill that was interrupted is repeated, which changes nothing that is stored already.
 *
 * @param stateFile remembers the sample of kept tables; undefined if they are not kept
 * @param reportFill is called with how far the fill is, and with null at its end
 * @returns what is missing after the fill, one line each
 */
export async function playSample(
  run: LocalRun,
  stateFile: string | undefined,
  progress: Progress,
  shutdown: Pick<Shutdown, 'ending'>,
  reportFill: ReportFill = () => {},
): Promise<string[]> {
  if (!run.registered) return ['the webhook is not registered at the SMS service'];
  const kept = sampleStateFile(stateFile);
  const stored = kept.read();
  const now = Date.now();
  const state = stored ?? { begun: now };
  const { played, left, live } = timelineOf(state, { now, contract: run.contract });
  if (stored !== undefined && stored.filledUntil === undefined)
    progress.step(
      `the fill of ${timeText(state.begun)} was interrupted, and is repeated: no message counts twice`,
    );
  progress.step(
    state.filledUntil === undefined
      ? `filling the pipeline with a sample of 30 days: ${left.length} events`
      : `the kept tables have the sample of ${timeText(state.begun)}: ${left.length} events since their last fill follow; remove ${dirname(stateFile ?? '')} for a new sample`,
  );
  kept.write(state);
  reportFill({ sent: 0, all: left.length });
  const missing = await fill(run, left, { ...progress, filled: reportFill }, played).finally(() =>
    reportFill(null),
  );
  if (missing.length > 0) return missing;
  kept.write({ ...state, filledUntil: now });
  progress.step('the sample is there; live traffic goes on');
  void sendLive(live, {
    send: (due) => sendSample(run, due),
    pause: () => delay(liveStepMs),
    clock: Date.now,
    progress,
    isEnding: () => shutdown.ending,
  });
  return [];
}

const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
