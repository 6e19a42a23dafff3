import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { LocalRun } from '../run/run.ts';
import type { Shutdown } from '../run/shutdown.ts';
import type { Progress } from '../terminal/terminal.ts';
import { fill, sendSample } from './fill.ts';
import { sampleStateFile } from './sample-state.ts';
import { sendLive } from './send-live.ts';
import { createLiveTraffic, type LiveTraffic } from './traffic/live-traffic.ts';
import { planSample } from './traffic/plan.ts';

/** The seed of every sample, so that two people see the same. */
const seed = 26;

/** Live traffic begins this long before the end of the sample, so that the last hour has some. */
const liveBeforeMs = 2 * 60_000;

const liveStepMs = 1000;

/**
 * Fills the pipeline with the sample, and then sends live traffic until the run ends. Kept tables are filled once: a fill that was interrupted
 * is repeated as of its first time, which changes nothing that is stored already.
 *
 * @param stateFile remembers the sample of kept tables; undefined where they are not kept
 * @returns what is missing after the fill, one line each
 */
export async function playSample(
  run: LocalRun,
  stateFile: string | undefined,
  progress: Progress,
  shutdown: Pick<Shutdown, 'ending'>,
): Promise<string[]> {
  if (!run.registered) return ['the webhook is not registered at the SMS service'];
  const { contract } = run;
  const kept = sampleStateFile(stateFile);
  const state = kept.read();
  const now = state === undefined || state.isFilled ? Date.now() : state.now;
  const goOn = (live: LiveTraffic) =>
    void sendLive(live, {
      send: (events) => sendSample(run, events),
      pause: () => delay(liveStepMs),
      clock: Date.now,
      progress,
      isEnding: () => shutdown.ending,
    });
  if (state?.isFilled === true) {
    const folder = stateFile === undefined ? '' : dirname(stateFile);
    progress.step(
      `the kept tables have the sample of ${timeText(state.now)}: remove ${folder} for a new one`,
    );
    goOn(createLiveTraffic({ contract, start: now, seed: now, later: [] }));
    return [];
  }
  const { events, later } = planSample({ now, seed, size: 1, contract });
  const live = createLiveTraffic({ contract, start: now - liveBeforeMs, seed, later });
  const all = [...events, ...live.due(now)].sort((a, b) => a.at - b.at);
  if (state !== undefined)
    progress.step(
      `the fill of ${timeText(state.now)} was interrupted, and is repeated: no message counts twice`,
    );
  progress.step(`filling the pipeline with a sample of 30 days: ${all.length} events`);
  kept.write({ now, isFilled: false });
  const missing = await fill(run, all, progress);
  if (missing.length > 0) return missing;
  kept.write({ now, isFilled: true });
  progress.step('the sample is there; live traffic goes on');
  goOn(live);
  return [];
}

const timeText = (ms: number) => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
